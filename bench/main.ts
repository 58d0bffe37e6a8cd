// npm run bench: figures of the product, compared with yardsticks measured in the same run on the same machine.
import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAccounts } from './accounts.ts'
import { measureArchive } from './archive.ts'
import { EFFORTS, type Effort } from './stage.ts'
import { measureExports } from './exports.ts'
import { table, type Line } from './figures.ts'
import { measureFullText } from './full-text.ts'
import { measureImport } from './import.ts'
import { measureGrowth, measureLists } from './list.ts'
import { measureMemory } from './memory.ts'
import { measurePage } from './page.ts'
import { ROOT } from './processes.ts'
import { measureScroll } from './scroll.ts'
import { measureSearch } from './search.ts'
import { measureStart } from './startup.ts'

const GROUPS: Record<string, (effort: Effort) => Promise<Line[]>> = {
  list: measureLists,
  search: measureSearch,
  'full-text': measureFullText,
  accounts: measureAccounts,
  growth: measureGrowth,
  import: measureImport,
  memory: measureMemory,
  archive: measureArchive,
  exports: measureExports,
  page: measurePage,
  scroll: measureScroll,
  start: measureStart,
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, scale: { type: 'string', default: 'full' }, help: { type: 'boolean' } },
})
const wanted = values.only?.split(',') ?? Object.keys(GROUPS)
const unknown = wanted.filter((name) => !Object.hasOwn(GROUPS, name))
if (values.help === true || unknown.length > 0 || (values.scale !== 'full' && values.scale !== 'small')) {
  process.stderr.write(`Usage: npm run bench -- [--only=${Object.keys(GROUPS).join(',')}] [--scale=small]\n`)
  process.exit(values.help === true ? 0 : 2)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const begun = new Date()
const lines: Line[] = []
for (const name of wanted) {
  process.stderr.write(`── ${name}\n`)
  const taken = await GROUPS[name]?.(EFFORTS[values.scale]).catch((error: Error): Line[] => [
    { what: name, measured: `failed: ${error.message.split('\n')[0]}`, ok: false },
  ])
  lines.push(...(taken ?? []))
  process.stderr.write(`${table(taken ?? [])}\n\n`)
}

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 1024 ** 3)} GB, ${platform()} ${arch()}, Node ${process.versions.node}`
const report = `# ${begun.toISOString().slice(0, 16).replace('T', ' ')} UTC, scale ${values.scale}, ${wanted.join(', ')}\n\n${machine}\n\n${table(lines)}\n`
process.stdout.write(`\n${report}`)
const folder = join(ROOT, 'bench/results')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, `${begun.toISOString().slice(0, 16).replace(/[:]/g, '')}.md`), report)
process.exitCode = lines.some((line) => !('skipped' in line) && line.ok === false) ? 1 : 0
