// What `npm start` does before the server: everything a bare clone lacks. Runs on Node 20 with nothing installed.
import { buildWeb } from './build-web.mjs'
import { install } from './install.mjs'

try {
  await install()
  await buildWeb()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
