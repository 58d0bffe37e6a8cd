// Runs a program of the project on its own Node, after installing what it needs: with-packages.mjs src/server/seed.ts demo
import { install } from './install.mjs'
import { run } from './run.mjs'

try {
  await install()
  process.exitCode = await run('node', process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
