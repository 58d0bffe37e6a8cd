import { posix } from 'node:path'

const SERVER_FLOORS = ['kernel', 'db', 'access', 'engines', 'features']
const WEB_ABOVE: Record<string, string[]> = {
  ui: ['data', 'engines', 'features', 'shell', 'testing'],
  data: ['ui', 'engines', 'features', 'shell', 'testing'],
  engines: ['features', 'shell', 'testing'],
  features: ['shell', 'testing'],
  shell: ['features', 'testing'],
}
const VAGUE_NAMES = /((^|[.-])(utils?|helpers?|misc|common)|(^|\.)(types?|index))(\.[a-z]+)*\.(ts|tsx)$/
/** The registers of the features, one a room: the only files that may be called index, and that know all neighbours. */
const REGISTERS = ['src/server/features/index.ts', 'src/web/features/index.ts']
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g

/**
 * What is wrong with one source file by the rules of docs/ARCHITECTURE.md that a linter cannot say, because they ask
 * where an import leads. Path from the project root, with slashes; each complaint is one sentence.
 */
export function complaintsAbout(path: string, text: string): string[] {
  const complaints: string[] = []
  const isTest = /\.test\.tsx?$|\.fixture\.ts$|\/testing\//.test(path)
  for (const target of importedFiles(path, text)) {
    if (climbs(path, target, isTest)) complaints.push(`imports ${target}, which is on a floor above`)
    if (isNeighbour(path, target, isTest)) complaints.push(`imports ${target} of a neighbouring feature`)
  }
  if (VAGUE_NAMES.test(posix.basename(path)) && !REGISTERS.includes(path)) complaints.push('has a name that says nothing')
  if (path.startsWith('src/server/') && !isTest && path !== 'src/server/kernel/config.ts' && /process\.env\b/.test(text)) {
    complaints.push('reads process.env, which only src/server/kernel/config.ts may')
  }
  const lines = text.split('\n').length - 1
  const limit = isTest ? 400 : 250
  if (lines > limit && !path.endsWith('.gen.ts')) complaints.push(`has ${lines} lines, ${limit} are allowed`)
  return complaints
}

/** Imports that stay in this project, as paths from its root. */
function importedFiles(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, name = '']) => {
    if (name.startsWith('.')) return [posix.join(posix.dirname(path), name)]
    return name.startsWith('#') ? [`src/${name.slice(1)}`] : []
  })
}

function climbs(path: string, target: string, isTest: boolean): boolean {
  const [, room = '', floor = ''] = path.split('/')
  const [, targetRoom = '', targetFloor = ''] = target.split('/')
  if (room !== targetRoom) return targetRoom !== 'contract'
  if (isTest || room === 'contract') return false
  if (room === 'server') {
    const own = SERVER_FLOORS.indexOf(floor)
    return own >= 0 && !SERVER_FLOORS.slice(0, own + 1).includes(targetFloor)
  }
  return (WEB_ABOVE[floor] ?? []).includes(targetFloor)
}

function isNeighbour(path: string, target: string, isTest: boolean): boolean {
  const [, room, floor, feature] = path.split('/')
  const [, targetRoom, targetFloor, targetFeature] = target.split('/')
  if (isTest || floor !== 'features' || targetFloor !== 'features' || room !== targetRoom) return false
  if (feature === targetFeature || REGISTERS.includes(path)) return false
  return !(room === 'server' && target.endsWith('.commands.ts'))
}
