import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { END, ENDED_WORDS, isEndedNote, isEndedRemark } from '#server/features/imports/pipeline/read/ended-words.ts'
import type { RowIssue } from './results.ts'

/** What happens to all rows that are marked as sold, closed or not insured; `divest` leaves them out and marks their properties divested. */
export const MARK_DECISIONS = ['leave_out', 'divest', 'import'] as const
export type MarkDecision = (typeof MARK_DECISIONS)[number]

/** A column that may say that a property is no longer owned or insured: one that is not imported, or a number or name with a remark. */
export interface MarkColumn {
  /** From 0. */
  index: number
  column: string
  header: string
  kind: 'status' | 'ended' | 'notes' | 'change' | 'other' | 'name'
}

const ENDED =
  `${ENDED_WORDS}|(?:permanently )?closed|inactive|terminated|drop|removed?|excluded?|demolished|former(?:ly)?|vacated|uninsured|` +
  '(?:insured|covered) elsewhere|not (?:currently )?(?:insured|covered|owned|active|included|in use)|no longer|self[- ]insured|surrendered|lease (?:ended|expired|terminated)'
const ENDED_STATUS = new RegExp(`^(?:${ENDED}|i|n|no(?![ -]?change)|false)${END}`, 'iu')
const ENDED_WORD = new RegExp(`^(?:${ENDED}|y|yes|true|x)${END}`, 'iu')
/** A change of the schedule: `D`, `Delete eff 1/1/26`. */
const ENDED_CHANGE = new RegExp(`^(?:${ENDED}|d|del)\\.?${END}`, 'iu')
/** Below any header, nothing else is meant. */
const ENDED_ALONE = new RegExp(
  `^(?:(?:please|pls|to be) )?(?:delete[ds]?|deletion|del|remove[ds]?|removal|drop(?:ped)?|cancel(?:l?ed)?|non-?renew(?:ed|al)?|take off|sold|divested|disposed(?: of)?|terminated|(?:permanently )?closed(?: permanently)?)${END}[^\\p{L}]*(?:(?:eff|effective|as of|on|from|per|at(?= (?:next )?renewal))${END}.{0,24})?$`,
  'iu',
)
const CHANGE_HEADER =
  /^(?:renewal |schedule |policy |sov |location )?(?:changes?|updates?|variance|dispositions?|transactions?|trans(?:action)? types?|actions?|adds?(?:\/| )?(?:deletes?|del)|adds?(?:\/| )?ch(?:an)?g(?:e)?(?:\/| )?del(?:ete)?)$/
/** Above yes and no. */
const INCLUDED_HEADER = /^(?:to be )?includ(?:e|ed)(?: (?:y n|yes no|in (?:program|schedule|policy|renewal)))?$/
/** In the future, too: a sale that is planned is worth the question. */
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|^(19|20)\d\d$|\b(19|20)\d\d(?:[ T,]+\d{1,2}:\d\d\b.*)?$/
/** `sold on 3/14/2025` */
const BEFORE_DATE = new RegExp(`^(?:${ENDED})(?:\\s+(?:on|in|as of|effective))?[\\s:,–-]*(?=[\\p{L}\\d])`, 'iu')
/** In headers above `Yes`, or above a date, for a property that is no longer owned or insured. */
const ENDED_HEADER =
  /\b(sold|divested|disposed|disposition|disposal|closed|closure|inactive|exclude[ds]?|deleted?|deletion|dropped|drop|removed?|removal|terminated|demolished)\b/

/** Nothing but the location is meant: `Flood excluded` and `Lease termination` are something else. */
const ONLY_ENDED = new RegExp(
  `^(?:(?:date|to be|location|property|building|site|store|is|was|of) )*${ENDED_HEADER.source}(?: (?:date|on|y n|yes no|flag|locations?|property|from (?:sov|schedule|policy)))*$`,
)

const NOTES_WORD = /\b(?:comments?|notes?|remarks?|memos?|explanations?|reasons?|info(?:rmation)?)\b/
/** Next to such a word; notes about roofs, tenants or floods say nothing about the whole property. */
const ABOUT_NOTES =
  /\b(?:insured|client|customer|broker|agent|producer|underwrit(?:er|ing)|uw|carrier|internal|renewal|general|additional|addl|add l|other|special|misc|miscellaneous|location|loc|property|site|schedule|sov|policy|account|status|changes?|updates?|deletions?|deleted?|removals?|sale|s|the|from|by|for|of|on|or|and|any|if|yes|no)\b/g

const isNotesHeader = (words: string): boolean =>
  NOTES_WORD.test(words) &&
  words
    .replace(ABOUT_NOTES, '')
    .split(' ')
    .every((word) => word === '' || NOTES_WORD.test(word))

/** What a column without a field says about the rows, by its header; undefined if nothing. */
export function markKind(header: string): MarkColumn['kind'] | undefined {
  const normalized = normalizeHeader(header)
  const { words } = normalized
  const targets = new Set(scoreHeader(normalized).flatMap(({ target, score }) => (score >= 0.9 ? [target] : [])))
  const saysEnded = ENDED_HEADER.test(words) && !/\bactive\b/.test(words)
  if (saysEnded && (targets.has('status') || targets.has('divested_on') || ONLY_ENDED.test(words))) return 'ended'
  if (targets.has('status') || INCLUDED_HEADER.test(words)) return 'status'
  if (CHANGE_HEADER.test(words)) return 'change'
  if (targets.has('notes') || isNotesHeader(words)) return 'notes'
  return targets.size === 0 || targets.has('ignore') ? 'other' : undefined
}

const REMARKED: ReadonlySet<string> = new Set(['location_number', 'location_building', 'property_name'])

/** What an imported column may say about the rows; undefined if nothing. */
export const markKindOf = (target: string): MarkColumn['kind'] | undefined => (REMARKED.has(target) ? 'name' : undefined)

/** The cell that marks a row as sold, closed or not insured, as an issue of the row. */
export function markOf(cells: readonly (Cell | undefined)[], columns: readonly MarkColumn[]): RowIssue | undefined {
  for (const { index, column, header, kind } of columns) {
    const text = cellText(cells[index])
    if (text === '' || !isEnded(text, kind, header)) continue
    const message = `“${text.slice(0, 60)}” below “${header}” says that the property is sold, closed or not insured.`
    return { column, field: null, code: 'marked_ended', severity: 'warning', message, value: text.slice(0, 60) }
  }
  return undefined
}

/** When a property was sold, closed or the like, as the file says it. */
export interface EndDate {
  column: string
  text: string
}

/** The date in a column such as “Date Sold”, also of a row that another column marks. */
export function endDateOf(cells: readonly (Cell | undefined)[], columns: readonly MarkColumn[]): EndDate | undefined {
  const dates = columns.flatMap(({ index, column, kind }) => {
    const text = cellText(cells[index]).replace(BEFORE_DATE, '')
    return kind === 'ended' && DATE.test(text) ? [{ column, text }] : []
  })
  return dates[0]
}

/** Whether a row has such an issue. */
export const isMarkedEnded = ({ issues }: { readonly issues: readonly RowIssue[] }): boolean =>
  issues.some(({ code }) => code === 'marked_ended')

/** Below these, 0 and 1 mean no and yes. */
const FLAG = /active|insured|covered|included|in program/i

function isEnded(text: string, kind: MarkColumn['kind'], header: string): boolean {
  if (kind === 'name') return isEndedRemark(text)
  if (kind === 'other' || ENDED_ALONE.test(text)) return ENDED_ALONE.test(text)
  if (kind !== 'ended' && isEndedNote(text)) return true
  if (kind === 'notes') return false
  if (kind === 'status') return ENDED_STATUS.test(text) || (text === '0' && FLAG.test(header))
  if (kind === 'change') return ENDED_CHANGE.test(text)
  return text === '1' || ENDED_WORD.test(text) || DATE.test(text)
}

const BLANKET =
  /^(?:blanket|newly[- ](?:acquired|constructed)|new acquisitions?|un-?named|unscheduled|unspecified locations?|(?:any|all) other locations?|(?:property|goods|stock|contents|equipment)? ?in[- ]transit|transit(?: limit| coverage)?$|misc(?:ellaneous|\.)? (?:unscheduled|unnamed))(?![\p{L}\p{N}])/iu
const NUMBERS: ReadonlySet<string> = new Set(['location_number', 'location_building'])
const ADDRESSES: ReadonlySet<string> = new Set(['address', 'full_address'])

/** A row for no single location, such as a blanket limit or newly acquired property, without a location number and an address. */
export function blanketMark(
  cells: readonly (Cell | undefined)[],
  columns: readonly { index: number; column: string; target: string }[],
): RowIssue | undefined {
  const at = cells.findIndex((cell) => typeof cell === 'string' && BLANKET.test(cell.trim()))
  if (at === -1) return undefined
  const isFilled = ({ index }: { index: number }) => cellText(cells[index]) !== ''
  if (columns.some((column) => NUMBERS.has(column.target) && column.index !== at && isFilled(column))) return undefined
  if (columns.some((column) => ADDRESSES.has(column.target) && column.index !== at && isFilled(column))) return undefined
  const value = cellText(cells[at]).slice(0, 60)
  const message = `“${value}” is no single location.`
  return { column: columnLetters(at + 1), field: null, code: 'no_location', severity: 'warning', message, value }
}
