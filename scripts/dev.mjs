// The server, started again at every change, and Vite's own server for the web page in front of it.
import { spawn } from 'node:child_process'
import { install } from './install.mjs'
import { CHILD_ENVIRONMENT, ROOT, run } from './run.mjs'

await install()
const server = spawn('node', ['--watch', 'src/server/main.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...CHILD_ENVIRONMENT, NODE_ENV: 'development' },
  // A group of its own: node --watch crashes when Ctrl-C reaches it twice, from the terminal and from npm.
  detached: true,
})
const endServer = () => server.exitCode === null && !server.killed && server.kill('SIGTERM')
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, endServer)
process.exitCode = await run('vite', ['--clearScreen', 'false'])
endServer()
