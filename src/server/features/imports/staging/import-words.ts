import { sql } from 'kysely'
import { hash } from 'node:crypto'
import { isPropertyField } from '#contract/account-properties.ts'
import { NO_CODE, canStayEmpty, codesForWords, wordKey, type WordChoice } from '#contract/import-words.ts'
import { PROPERTY_FIELDS } from '#contract/property-fields.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { ImportRecord, StoredColumn, StoredWord } from '#server/features/imports/imports.queries.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { learnedKeys } from '#server/features/imports/pipeline/read/learned-keys.ts'
import type { WordCodes } from '#server/features/imports/pipeline/validate/results.ts'
import { invalid } from '#server/kernel/errors.ts'

/** The words of the headers, years aside: files with the same layout are read alike. */
export const layoutOf = (columns: readonly Pick<StoredColumn, 'header'>[]): string =>
  learnedKeys(columns.map(({ header }) => header)).join('|')

const layoutKey = (columns: readonly Pick<StoredColumn, 'header'>[]) => hash('sha256', layoutOf(columns), 'base64url')

export const wordId = ({ field, word }: Pick<StoredWord, 'field' | 'word'>) => `${field}|${word}`

/** The choices of an import as the readers find them. */
export function wordCodes(words: readonly StoredWord[]): WordCodes {
  const fields = Map.groupBy(words, ({ field }) => field)
  return new Map([...fields].map(([field, chosen]) => [field, new Map(chosen.map(({ word, code }) => [word, code]))]))
}

/**
 * Finds what the company chose in earlier imports for words of this file. `add` takes the cells of each row. The choice of a file with
 * the same headers counts before a newer one of another file.
 */
export async function wordRecall(ctx: Context, record: ImportRecord, headers: readonly string[]) {
  const { rows } = await sql<Pick<StoredWord, 'field' | 'word' | 'code'>>`SELECT DISTINCT ON (w.field, w.word) w.field, w.word, w.code
    FROM import_words w JOIN accounts a ON a.company_id = w.company_id WHERE a.id = ${record.account_id}
    ORDER BY w.field, w.word, w.layout = ${layoutKey(headers.map((header) => ({ header })))} DESC, w.chosen_at DESC`.execute(ctx.db)
  const remembered = Map.groupBy(rows.filter(isPossible), ({ word }) => word)
  const found = new Map(record.words.map((word) => [wordId(word), word]))
  return {
    add: (cells: readonly Cell[]) => {
      if (remembered.size === 0) return
      for (const cell of cells) {
        for (const word of remembered.get(wordKey(cellText(cell))) ?? [])
          if (!found.has(wordId(word))) found.set(wordId(word), { ...word, remembered: true })
      }
    },
    found: () => [...found.values()],
  }
}

const isPossible = ({ field, code }: { field: string; code: string }) => problemOf(field, code) === undefined

/** Why a code cannot be chosen. */
function problemOf(field: string, code: string): string | undefined {
  const codes = isPropertyField(field) && PROPERTY_FIELDS[field].importable ? codesForWords(field) : undefined
  if (codes === undefined || !isPropertyField(field)) return `“${field}” is not a field with a list of codes.`
  const { label } = PROPERTY_FIELDS[field]
  if (code === NO_CODE) return canStayEmpty(field) ? undefined : `${label} cannot stay empty. Choose one from the list.`
  return Object.hasOwn(codes, code) ? undefined : `“${code}” is not in the list of ${label}. Choose one from the list.`
}

/**
 * Stores choices for words in the memory of the company, and forgets those that are undone.
 * @returns all choices of the import
 * @throws AppError invalid for a code that the field does not have
 */
export async function chooseWords(tx: WriteContext, record: ImportRecord, choices: readonly WordChoice[]): Promise<StoredWord[]> {
  const words = new Map(record.words.map((word) => [wordId(word), word]))
  const chosen = new Map<string, StoredWord>()
  const undone = new Map<string, StoredWord>()
  for (const { field, word: text, code } of choices) {
    const problem = code === null ? undefined : problemOf(field, code)
    if (problem !== undefined) throw invalid({ words: [problem] })
    const word = wordKey(text)
    const id = wordId({ field, word })
    const before = words.get(id)
    words.delete(id)
    chosen.delete(id)
    if (code !== null) chosen.set(id, { field, word, code, remembered: false })
    else if (before) undone.set(id, before)
  }
  const layout = layoutKey(record.columns)
  await forget(tx, record, layout, [...undone.values()])
  await remember(tx, record, layout, [...chosen.values()])
  return [...words.values(), ...chosen.values()]
}

async function remember(tx: WriteContext, { account_id }: ImportRecord, layout: string, chosen: readonly StoredWord[]): Promise<void> {
  await sql`INSERT INTO import_words (company_id, field, word, layout, code, chosen_at)
    SELECT a.company_id, c.field, c.word, ${layout}, c.code, ${tx.clock.now()}
      FROM accounts a CROSS JOIN jsonb_to_recordset(${JSON.stringify(chosen)}::jsonb) AS c (field text, word text, code text)
      WHERE a.id = ${account_id} ORDER BY c.field, c.word
    ON CONFLICT (company_id, field, word, layout) DO UPDATE SET code = excluded.code, chosen_at = excluded.chosen_at`.execute(tx.db)
}

/** The choice may come from a file with other headers: then it is forgotten there, too. */
async function forget(tx: WriteContext, { account_id }: ImportRecord, layout: string, undone: readonly StoredWord[]): Promise<void> {
  await sql`DELETE FROM import_words w USING accounts a, jsonb_to_recordset(${JSON.stringify(undone)}::jsonb) AS u (field text, word text, code text)
    WHERE a.id = ${account_id} AND w.company_id = a.company_id AND w.field = u.field AND w.word = u.word
      AND (w.layout = ${layout} OR w.code = u.code)`.execute(tx.db)
}
