const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const ANY = '$'
/** The parameters that choose a screen. The others filter or sort a list. */
const SCREENS_OF = new Set(['tab', 'view'])
const FILTERED = 'filtered'
const TABS = ['overview', 'properties', 'files', 'invites']
const STAND_IN = 'no-such-link'

/** What a page was opened for. A page that only an address of the table leads to can be closed to the role; a link leads to a page. */
export type Origin = { link: string } | 'table'

export interface Step {
  address: string
  origin: Origin
}

/** Addresses of the same kind differ only in ids and filters, panels also in the list below them. */
export function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://walk')
  const path = pathname.replace(ID, ANY)
  const isList = path === `/accounts/${ANY}` || path.lastIndexOf('/') === 0
  const screens = [...searchParams]
    .filter(([name]) => SCREENS_OF.has(name) && (isList || name !== 'tab'))
    .map(([name, value]) => `${name}=${value}`)
  const isFiltered = isList && [...searchParams.keys()].some((name) => !SCREENS_OF.has(name))
  const params = [...screens.sort(), ...(isFiltered ? [FILTERED] : [])]
  return `${path}${params.length === 0 ? '' : `?${params.join('&')}`}`
}

/** The last tab of an account is remembered, so that its own address shows any of them. */
export function withTabs(address: string): string[] {
  const { pathname, searchParams } = new URL(address, 'http://walk')
  if (kindOf(pathname) !== `/accounts/${ANY}` || searchParams.has('tab')) return [address]
  return TABS.map((tab) => `${pathname}?tab=${tab}`)
}

const isParam = (segment: string) => segment.includes(ANY)

/** The address of a route with the ids of a known address that begins like it; undefined if there is none. */
export function filled(template: string, known: Iterable<string>): string | undefined {
  const segments = template.split('/')
  const end = segments.findLastIndex(isParam) + 1
  if (end === 0) return template
  if (segments.some((segment) => segment.startsWith('{'))) return template.replace(/\{[^}]*\}/, STAND_IN)
  for (const address of known) {
    const given = new URL(address, 'http://walk').pathname.split('/')
    const fits = segments
      .slice(0, end)
      .every((segment, at) => (isParam(segment) ? given[at]?.replace(ID, '') === '' && given[at] !== '' : segment === given[at]))
    if (fits) return [...given.slice(0, end), ...segments.slice(end)].join('/')
  }
  return undefined
}

/** The addresses still to visit, breadth first, with at most `perKind` of each kind. */
export class Frontier {
  private readonly known = new Set<string>()
  private readonly linked = new Set<string>()
  private readonly waiting: Step[] = []
  private readonly counts = new Map<string, number>()
  private readonly perKind: number

  constructor(perKind: number) {
    this.perKind = perKind
  }

  add(address: string, origin: Origin): void {
    for (const each of withTabs(address)) {
      if (this.known.has(each)) continue
      this.known.add(each)
      if (origin !== 'table') this.linked.add(each)
      const kind = kindOf(each)
      const count = this.counts.get(kind) ?? 0
      if (count >= this.perKind) continue
      this.counts.set(kind, count + 1)
      this.waiting.push({ address: each, origin })
    }
  }

  /** Routes of which no address was chosen yet, filled with the ids of addresses that pages link to. */
  addMissing(templates: readonly string[]): void {
    for (const template of templates) {
      const address = filled(template, this.linked)
      if (address !== undefined && !withTabs(address).some((each) => this.counts.has(kindOf(each)))) this.add(address, 'table')
    }
  }

  next(): Step | undefined {
    return this.waiting.shift()
  }
}
