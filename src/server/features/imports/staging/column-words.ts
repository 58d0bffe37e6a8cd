import { sql } from 'kysely'
import { isPropertyField } from '#contract/account-properties.ts'
import { codesForWords, wordField, wordKey } from '#contract/import-words.ts'
import type { Reader } from '#server/access/viewer.ts'
import { columnOf } from '#server/engines/spreadsheet/sheet.ts'
import type { ImportRecord, StoredColumnWord } from '#server/features/imports/imports.queries.ts'
import { wordId } from './import-words.ts'
import { DATA_ROWS, fileText } from './staged-rows.ts'

/** Of one column; further words without a choice are not listed. */
const OPEN_WORDS_LISTED = 200

interface FoundWord extends StoredColumnWord {
  column: string
}

/** By column letter: the words that were not understood for certain, and those with a choice; the most frequent first. */
export async function columnWords(db: Reader, record: ImportRecord): Promise<Record<string, StoredColumnWord[]>> {
  const { id, words, mapping } = record
  const chosen = new Set(words.map(wordId))
  const fieldOf = (column: string) => wordField(mapping[column] ?? '')
  const isChosen = ({ column, word }: FoundWord) => chosen.has(wordId({ field: fieldOf(column), word: wordKey(word) }))
  const withChoice = Object.keys(mapping).filter((column) => words.some(({ field }) => field === fieldOf(column)))
  const open = (await wordsOfIssues(db, id)).filter((word) => fieldOf(word.column) === word.field && !isChosen(word))
  const decided = (await wordsOfCells(db, id, withChoice)).filter(isChosen)
  const columns = Object.entries(Object.groupBy([...open, ...decided], ({ column }) => column))
  return Object.fromEntries(columns.map(([column, found = []]) => [column, listed(found, isChosen)]))
}

/** One entry per word, however it is written. */
function listed(found: readonly FoundWord[], isChosen: (word: FoundWord) => boolean): StoredColumnWord[] {
  const merged = [...Map.groupBy(found, ({ word }) => wordKey(word)).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, rows: others.reduce((sum, { rows }) => sum + rows, first.rows) }] : [],
  )
  const sorted = merged.sort((a, b) => b.rows - a.rows || a.word.localeCompare(b.word))
  const open = new Set(sorted.filter((word) => !isChosen(word)).slice(0, OPEN_WORDS_LISTED))
  return sorted
    .filter((word) => open.has(word) || isChosen(word))
    .map(({ word, rows, code, suggestion }) => ({
      word,
      rows,
      code,
      ...(suggestion === undefined ? {} : { suggestion }),
    }))
}

/** The words that the readers reported, with the code that they propose. */
async function wordsOfIssues(db: Reader, importId: string) {
  const { rows } = await sql<
    FoundWord & { field: string; offered: string | null }
  >`SELECT i.issue->>'column' AS "column", i.issue->>'field' AS field,
      i.issue->>'value' AS word, min(r.fields->>(i.issue->>'field')) AS code, count(*)::int AS rows,
      min(i.issue->>'suggestion') AS offered
    FROM import_rows r CROSS JOIN LATERAL jsonb_array_elements(r.issues) AS i (issue)
    WHERE r.import_id = ${importId} AND i.issue->>'code' IN ('unknown_code', 'word_to_confirm', 'unknown_state') AND i.issue->>'value' <> ''
    GROUP BY 1, 2, 3 ORDER BY min(r.row_number)`.execute(db)
  return rows.map(({ offered, ...word }) => {
    const suggestion = codeOfLabel(word.field, offered)
    return suggestion === undefined ? word : { ...word, suggestion }
  })
}

function codeOfLabel(field: string, label: string | null): string | undefined {
  const codes = label !== null && isPropertyField(field) ? codesForWords(field) : undefined
  return codes && Object.keys(codes).find((code) => codes[code] === label)
}

/** The distinct texts of columns. */
async function wordsOfCells(db: Reader, importId: string, letters: readonly string[]): Promise<FoundWord[]> {
  if (letters.length === 0) return []
  const columns = letters.map((letter) => ({ letter, at: columnOf(letter) - 1 }))
  const { rows } = await sql<FoundWord>`SELECT c.letter AS "column",
      CASE WHEN r.edits ? c.letter THEN r.edits->>c.letter ELSE ${sql.raw(fileText('r.cells', 'c.at'))} END AS word, NULL AS code, count(*)::int AS rows
    FROM import_rows r CROSS JOIN jsonb_to_recordset(${JSON.stringify(columns)}::jsonb) AS c (letter text, at integer)
    WHERE r.import_id = ${importId} AND ${sql.raw(DATA_ROWS)} GROUP BY 1, 2 ORDER BY min(r.row_number)`.execute(db)
  return rows.filter(({ word }: { word: string | null }) => word !== null)
}
