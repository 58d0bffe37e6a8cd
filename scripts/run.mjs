import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Node 24 from the npm package `node` comes first on the path, before any Node of the machine. The compiled modules are cached, because
 * tests start many processes that load the same ones.
 */
export const CHILD_ENVIRONMENT = {
  NODE_COMPILE_CACHE: join(ROOT, '.cache/compile'),
  ...process.env,
  PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
}

/**
 * Runs a command in the project; resolves with its exit code (127: not found). Its output is passed through, or added to the array
 * `output`.
 */
export function run(command, args, { env = {}, quiet = false, output } = {}) {
  return new Promise((resolve) => {
    const stdio = quiet ? 'ignore' : output ? ['ignore', 'pipe', 'pipe'] : 'inherit'
    const child = spawn(command, args, { cwd: ROOT, stdio, env: { ...CHILD_ENVIRONMENT, ...env } })
    if (output) for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => output.push(text))
    child.on('error', () => resolve(127))
    child.on(output ? 'close' : 'exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

export const say = (text) => process.stdout.write(`${text}\n`)
