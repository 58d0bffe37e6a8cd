import { NativeSelect, UnstyledButton } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useEffect, useRef, useState } from 'react'
import { isPropertyField } from '#contract/account-properties.ts'
import type { CodeList } from '#contract/code-lists.ts'
import { plural } from '#contract/format.ts'
import { NO_CODE, canStayEmpty, codesForWords, wordField, wordKey, type ColumnWord } from '#contract/import-words.ts'
import type { Import, ImportColumn, IssueGroup } from '#contract/imports.ts'
import { countedParts } from '#web/engines/account/import-progress.ts'
import classes from './column-words.module.css'
import { CompactButton } from './compact-button.ts'
import { fieldLabel } from './import-labels.ts'
import { PanelSection } from './panel-section.tsx'
import { useOpenImport } from './use-import.ts'

/** No code: the user has not chosen. */
const OPEN = '?'
/** More are shown on request, because each has a menu of all codes. */
const WORDS_SHOWN = 20

/** What is reported about words that need a choice. */
const WORD_CODES: ReadonlySet<string> = new Set(['unknown_code', 'word_to_confirm', 'unknown_state'] satisfies IssueGroup['code'][])

const LEAVE_EMPTY = 'Leave empty'

interface Vocabulary {
  field: string
  codes: CodeList
  optional: boolean
}

function vocabularyOf({ field: target }: ImportColumn): Vocabulary | undefined {
  const field = wordField(target ?? '')
  const codes = isPropertyField(field) ? codesForWords(field) : undefined
  return codes && isPropertyField(field) ? { field, codes, optional: canStayEmpty(field) } : undefined
}

interface ColumnWordsProps {
  /** The letter of the column whose words are open. */
  open: string | null
  onOpen: (letter: string | null) => void
}

/** The words of the columns with a list of codes that were not understood for certain, each with one choice for all its cells. */
export function ColumnWords({ open, onOpen }: ColumnWordsProps) {
  const { data } = useOpenImport()
  const columns = data.columns.filter(({ words }) => words.length > 0)
  if (columns.length === 0) return null
  return (
    <PanelSection title="Words">
      {columns.map((column) => (
        <WordsOfColumn
          key={column.letter}
          column={column}
          open={open === column.letter}
          onToggle={() => onOpen(open === column.letter ? null : column.letter)}
        />
      ))}
    </PanelSection>
  )
}

interface WordsOfColumnProps {
  column: ImportColumn
  open: boolean
  onToggle: () => void
}

function WordsOfColumn({ column, open, onToggle }: WordsOfColumnProps) {
  const { letter, header, words } = column
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) list.current?.scrollIntoView?.({ block: 'nearest' })
  }, [open])
  const count = (choice: ColumnWord['choice']) => words.filter((word) => word.choice === choice).length
  const vocabulary = vocabularyOf(column)
  if (!vocabulary) return null
  return (
    <div ref={list}>
      <UnstyledButton className={classes['column']} aria-expanded={open} onClick={onToggle}>
        <IconChevronDown size={14} aria-hidden />
        <span className={classes['name']}>
          Column {letter}, {header || fieldLabel(vocabulary.field)}
        </span>{' '}
        <span className={classes['note']}>
          {countedParts([count(null), '# to choose'], [count('chosen'), '# chosen'], [count('remembered'), '# remembered'])}
        </span>
      </UnstyledButton>
      {open && <Words column={column} vocabulary={vocabulary} />}
    </div>
  )
}

/** Rows with a word that is not in the list, which has the most frequent ones. */
function unlistedRows({ issues }: Import, letter: string, words: readonly ColumnWord[]): number {
  const isUnknown = ({ column, code }: IssueGroup) => column === letter && WORD_CODES.has(code)
  const unknown = issues.filter(isUnknown).reduce((sum, { count }) => sum + count, 0)
  return words.reduce((rest, { rows, choice }) => (choice === null ? rest - rows : rest), unknown)
}

function Words({ column: { words, letter }, vocabulary }: { column: ImportColumn; vocabulary: Vocabulary }) {
  const { data, editable, patch } = useOpenImport()
  const unlisted = unlistedRows(data, letter, words)
  const [all, setAll] = useState(false)
  const { field } = vocabulary
  const proposed = words.filter((word) => word.choice === null && proposalOf(word) !== null)
  const confirmAll = () => patch({ words: proposed.map((word) => ({ field, word: word.word, code: proposalOf(word) })) })
  return (
    <>
      <p className={classes['hint']}>Each choice counts for all cells with the word, and for the next imports of your company.</p>
      {editable && proposed.length > 1 && <CompactButton onClick={confirmAll}>Confirm all {proposed.length} proposals</CompactButton>}
      <ul className={classes['words']}>
        {(all ? words : words.slice(0, WORDS_SHOWN)).map((word) => (
          <WordChoice key={wordKey(word.word)} word={word} vocabulary={vocabulary} />
        ))}
      </ul>
      {!all && words.length > WORDS_SHOWN && <CompactButton onClick={() => setAll(true)}>Show all {words.length} words</CompactButton>}
      {unlisted > 0 && (
        <p className={classes['hint']}>{plural(unlisted, 'row has', 'rows have')} further words, which are listed when these are chosen.</p>
      )}
    </>
  )
}

/** The code that is proposed for an open word. */
const proposalOf = ({ code, suggestion }: ColumnWord) => suggestion ?? code

function WordChoice({ word: found, vocabulary }: { word: ColumnWord; vocabulary: Vocabulary }) {
  const { editable, patch } = useOpenImport()
  const { word, rows, code, choice } = found
  const proposed = choice === null ? proposalOf(found) : null
  const { field, codes, optional } = vocabulary
  const choose = (wanted: string | null) => patch({ words: [{ field, word, code: wanted }] })
  const proposal = proposed === null ? 'Choose a meaning' : `${codes[proposed] ?? proposed}?`
  const options = [
    ...(choice === null ? [{ value: OPEN, label: proposal }] : []),
    ...(optional ? [{ value: NO_CODE, label: LEAVE_EMPTY }] : []),
    ...Object.entries(codes).map(([value, label]) => ({ value, label })),
  ]
  return (
    <li className={classes['word']} data-open={choice === null || undefined}>
      <span className={classes['text']} title={word}>
        “{word}”
      </span>
      <span className={classes['note']}>
        {plural(rows, 'row')}
        {choice === 'remembered' && ', remembered'}
        {proposed !== null && ', to confirm'}
      </span>
      <NativeSelect
        size="xs"
        className={classes['choice']}
        aria-label={`Meaning of “${word}”`}
        disabled={!editable}
        value={choice === null ? OPEN : (code ?? NO_CODE)}
        onChange={({ currentTarget: { value } }) => value !== OPEN && choose(value)}
        data={options}
      />
      {editable && proposed !== null && (
        <CompactButton aria-label={`Confirm “${word}”`} onClick={() => choose(proposed)}>
          Confirm
        </CompactButton>
      )}
      {editable && choice !== null && (
        <CompactButton aria-label={`Undo the choice for “${word}”`} onClick={() => choose(null)}>
          Undo
        </CompactButton>
      )}
    </li>
  )
}

/** After the text of a cell in the sheet: what was chosen for it. */
export function ChosenMeaning({ column, text }: { column: ImportColumn; text: string }) {
  const chosen = column.words.find(({ choice, word }) => choice !== null && wordKey(word) === wordKey(text))
  const vocabulary = chosen && vocabularyOf(column)
  if (!vocabulary) return null
  const meaning = chosen.code === null ? 'empty' : (vocabulary.codes[chosen.code] ?? chosen.code)
  return (
    <>
      {' '}
      <span className={classes['meaning']} title={`“${text}” in the file, ${chosen.choice} as: ${meaning}`}>
        → {meaning}
      </span>
    </>
  )
}
