import { posix } from 'node:path'
import { MODEL_NAMES } from '#contract/models.ts'

const SERVER_FLOORS = ['kernel', 'db', 'access', 'engines', 'features']
/** `shell` and `features` are on the same floor and do not import each other. */
const WEB_FLOORS = ['ui', 'data', 'engines', 'features']
/** Modules in the root of src/web that only name paths. */
const WEB_PATHS = ['src/web/paths.ts', 'src/web/search-params.ts']
/** Folders whose functions must not do input or output: what they must not import. */
const PURE_FOLDERS: Readonly<Record<string, RegExp>> = {
  'src/server/features/imports/pipeline/':
    /^(?:kysely|pg|pg-[a-z-]+|node:fs(?:\/promises)?)$|^src\/server\/(?:db\/|engines\/(?:context|transaction|jobs|storage)\b)/,
}
const VAGUE_NAMES = /((^|[.-])(utils?|helpers?|misc|common)|(^|\.)(types?|index))(\.[a-z]+)*\.(ts|tsx)$/
/** The lists of all features, one for the server and one for the web: the only files named index, and the only ones that import all features. */
const REGISTERS = ['src/server/features/index.ts', 'src/web/features/index.ts']
/** Formatting of numbers and dates; a collator only sorts. */
const OWN_FORMAT = /\.toLocale(?:Date|Time)?String\(|\bnew Intl\.(?!(?:Collator|Segmenter)\b)|\bIntl\.\w+Format\(/
const FORMATS = 'src/contract/format.ts'
/** Caches, queues and other state of a module, which all servers of a test process would share. */
const MODULE_STATE =
  /^(?:export )?(?:let |const \w+(?:: (?!Readonly).+)? = (?:new (?:LRUCache|WeakMap|WeakSet)\b|new (?:Map|Set)(?:<.+>)?\((?:\[\])?\)|pLimit\(|\[\]$))/m
/** docs/decisions/019-caches-and-queues.md has the reasons. */
const STATEFUL_MODULES = [
  'src/server/engines/secrets/passwords.ts',
  'src/server/engines/storage/durable-file.ts',
  'src/server/features/imports/pipeline/validate/read-occupancy.ts',
]
/**
 * Engines that are about one model: uploads about documents and logos, flags about flags, `account/` about what members and guests see of
 * accounts. Every other engine serves all models, and reads what is special about one from its declaration.
 */
const ENGINES_OF_A_MODEL = ['src/web/engines/upload/', 'src/web/engines/flags/', 'src/web/engines/account/']
/** The name of a model as a text or as the key of a table, or the import of its contract. */
const MODEL_NAME = new RegExp(
  MODEL_NAMES.map((name) => `'${name}'|^ +${name}: \\{|#contract/${name.replaceAll('_', '-')}\\.ts`).join('|'),
  'gm',
)
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g

/**
 * Violations of the conventions in docs/ARCHITECTURE.md that the linter cannot check, because they depend on where an import leads.
 * Path from the project root, with slashes; each violation is one sentence.
 */
export function conventionViolations(path: string, text: string): string[] {
  const violations: string[] = []
  const isTest = /\.test\.tsx?$|\.fixture\.ts$|\/testing\//.test(path)
  const names = [...text.matchAll(IMPORT)].map(([, name = '']) => name)
  for (const target of names.flatMap((name) => importedFile(path, name) ?? [])) {
    if (isOnHigherFloor(path, target, isTest)) violations.push(`imports ${target}, which is on a floor above`)
    if (isOtherFeature(path, target, isTest)) violations.push(`imports ${target} of another feature`)
  }
  const forbidden = isTest ? undefined : Object.entries(PURE_FOLDERS).find(([folder]) => path.startsWith(folder))?.[1]
  for (const target of names.map((name) => importedFile(path, name) ?? name)) {
    if (forbidden?.test(target)) violations.push(`imports ${target}, but its folder has no input or output`)
  }
  if (VAGUE_NAMES.test(posix.basename(path)) && !REGISTERS.includes(path)) violations.push('has a vague name')
  if (path.startsWith('src/server/') && !isTest && path !== 'src/server/kernel/config.ts' && /process\.env\b/.test(text)) {
    violations.push('reads process.env, which only src/server/kernel/config.ts does')
  }
  if (path !== FORMATS && OWN_FORMAT.test(text)) violations.push(`formats by itself, which only ${FORMATS} does`)
  if (
    path.startsWith('src/server/') &&
    !isTest &&
    !path.endsWith('.worker.ts') &&
    !STATEFUL_MODULES.includes(path) &&
    MODULE_STATE.test(text)
  ) {
    violations.push('has state in the module; create it with the services in src/server/app.ts')
  }
  if (/^src\/(?:server|web)\/engines\//.test(path) && !isTest && !ENGINES_OF_A_MODEL.some((folder) => path.startsWith(folder))) {
    const named = new Set([...text.matchAll(MODEL_NAME)].map(([name]) => name.trim()))
    for (const name of named) violations.push(`names a model by ${name}; an engine reads what is special about it from its declaration`)
  }
  const lines = text.split('\n').length - 1
  const limit = isTest ? 400 : 250
  if (lines > limit && !path.endsWith('.gen.ts')) violations.push(`has ${lines} lines, ${limit} are allowed`)
  return violations
}

/** The imported file as a path from the project root; undefined for a package. */
function importedFile(path: string, name: string): string | undefined {
  if (name.startsWith('.')) return posix.join(posix.dirname(path), name)
  return name.startsWith('#') ? `src/${name.slice(1)}` : undefined
}

function isOnHigherFloor(path: string, target: string, isTest: boolean): boolean {
  const [, room = '', floor = ''] = path.split('/')
  const [, targetRoom = '', targetFloor = ''] = target.split('/')
  if (room !== targetRoom) return targetRoom !== 'contract'
  if (isTest || room === 'contract' || WEB_PATHS.includes(target)) return false
  if (room === 'web' && floor === 'shell') return targetFloor !== 'shell' && !WEB_FLOORS.slice(0, 3).includes(targetFloor)
  const floors = room === 'server' ? SERVER_FLOORS : WEB_FLOORS
  const own = floors.indexOf(floor)
  return own >= 0 && !floors.slice(0, own + 1).includes(targetFloor)
}

function isOtherFeature(path: string, target: string, isTest: boolean): boolean {
  const [, room, floor, feature] = path.split('/')
  const [, targetRoom, targetFloor, targetFeature] = target.split('/')
  if (isTest || floor !== 'features' || targetFloor !== 'features' || room !== targetRoom) return false
  if (feature === targetFeature || REGISTERS.includes(path)) return false
  return !(room === 'server' && /\.(commands|record)\.ts$/.test(target))
}

const LOADED = /^(?:import|export) (?!type )(?:[^']*? from )?'([^']+)'/gm

/** The files and packages that a module loads, by static imports of values. */
export function modulesFrom(entry: string, textOf: (path: string) => string): string[] {
  const found = new Set([entry])
  for (const path of found) {
    if (!path.startsWith('src/')) continue
    for (const [, name = ''] of textOf(path).matchAll(LOADED)) found.add(importedFile(path, name) ?? name)
  }
  return [...found]
}

/** Pairs of engines that import each other: folders in `engines/` of one room, whose files must form layers. */
export function mutualEngines(files: readonly (readonly [path: string, text: string])[]): string[] {
  const imports = new Set(
    files.flatMap(([path, text]) => {
      const from = engineOf(path)
      const targets = [...text.matchAll(IMPORT)].map(([, name = '']) => engineOf(importedFile(path, name) ?? ''))
      return targets.flatMap((to) => (from !== undefined && to !== undefined && to !== from ? [`${from} and ${to}`] : []))
    }),
  )
  return [...imports].filter((pair) => {
    const [from = '', to = ''] = pair.split(' and ')
    return from < to && imports.has(`${to} and ${from}`)
  })
}

const engineOf = (path: string) => /^src\/[a-z]+\/engines\/[^/]+(?=\/)/.exec(path)?.[0]

/** Violations of the layout of decision records; file names without their folder. */
export function recordViolations(name: string, text: string): string[] {
  const number = name.slice(0, 3)
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  return [
    /^\d{3}-[a-z0-9-]+\.md$/.test(name) ? '' : 'is not named NNN-title.md',
    text.startsWith(`# ${number} `) ? '' : `does not start with "# ${number} Title"`,
    /^# .+\n\nStatus: (?:proposed|accepted|replaced by \d{3}), \d{4}-\d{2}-\d{2}\n\n## Context\n/.test(text)
      ? ''
      : 'has no "Status: accepted, YYYY-MM-DD" line below its title',
    headings.join() === 'Context,Decision,Consequences' ? '' : 'does not have exactly the sections Context, Decision, Consequences',
  ].filter(Boolean)
}

/** Numbers of decision records that are missing or used twice. */
export function numberGaps(numbers: readonly number[]): string[] {
  const sorted = [...numbers].sort((left, right) => left - right)
  return sorted.flatMap((number, index) => (number === index + 1 ? [] : [`expected record ${index + 1}, found ${number}`]))
}

const DOCUMENTED_PATH = /`((?:[\w.<>-]+\/)*[\w.<>-]+\.(?:tsx?|mjs|css|sql|json|md|sh))`/g
/** `<model>` and `NNN` in a path are for any name and number. */
const patternOf = (path: string) => path.replaceAll('.', '\\.').replaceAll(/<\w+>/g, '[\\w-]+').replaceAll('NNN', '\\d{3}')

/** Paths in backticks that no file has. A path may begin at any folder: `contract/format.ts` is src/contract/format.ts. */
export function missingPaths(text: string, files: readonly string[]): string[] {
  const paths = [...text.matchAll(DOCUMENTED_PATH)].map(([, path = '']) => path)
  return paths.filter((path) => {
    const pattern = new RegExp(`(?:^|/)${patternOf(path)}$`)
    return !files.some((file) => pattern.test(file))
  })
}
