import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import type { RefObject } from 'react'
import { formatMoney } from '#contract/format.ts'
import { openMoney, type Import } from '#contract/imports.ts'
import { isInsuredValue } from '#contract/property-fields.ts'
import { answeredIn, answersOf, partsOf } from './answer-labels.ts'
import { CompactButton } from './compact-button.ts'
import type { SheetSelection } from './sheet-selection.ts'
import { useShowQuestion } from './show-question.ts'
import classes from './side-panel.module.css'
import { useOpenImport } from './use-import.ts'

/** More answers than these are in a list. */
const MAX_BUTTONS = 4

interface OpenQuestionsProps {
  /** The suggested answer to the first question, or else its first one. */
  firstAnswer: RefObject<HTMLButtonElement | null>
  onSelect: (selection: SheetSelection) => void
}

/** Questions about the file that only a person can answer. Each blocks the commit; one click gives the suggested answer. */
export function OpenQuestions({ firstAnswer, onSelect }: OpenQuestionsProps) {
  const { data } = useOpenImport()
  const placeOf = useShowQuestion(data, onSelect)
  return data.questions.map((one, index) => {
    const { facts, question, remarks } = partsOf(one.message)
    const place = data.sheet_rows > 0 ? placeOf(one) : undefined
    return (
      <section key={one.constant} className={classes['question']} aria-label={`Question ${index + 1}`}>
        <span className={classes['disc']} aria-hidden>
          {index + 1}
        </span>
        {facts !== '' && <p>{facts}</p>}
        <h4>{question}</h4>
        {remarks !== '' && <p>{remarks}</p>}
        {place && (
          <button type="button" className={classes['place']} onClick={() => void place.show()}>
            {place.label}
          </button>
        )}
        <Answers question={one} firstAnswer={index === 0 ? firstAnswer : null} />
      </section>
    )
  })
}

interface AnswersProps {
  question: Import['questions'][number]
  firstAnswer: OpenQuestionsProps['firstAnswer'] | null
}

/** A suggested answer is highlighted; of several questions only that of the first is the main button of the page. */
function Answers({ question, firstAnswer }: AnswersProps) {
  const { patch } = useOpenImport()
  const answer = (value: string) => patch({ answers: { [question.constant]: value } })
  const { suggested, others } = answersOf(question)
  const inList = others.length >= MAX_BUTTONS
  return (
    <div className={classes['buttons']}>
      {suggested && (
        <CompactButton
          ref={firstAnswer}
          variant={firstAnswer === null ? 'default' : 'filled'}
          data-suggested
          onClick={() => answer(suggested.value)}
        >
          {suggested.label}
        </CompactButton>
      )}
      {!inList &&
        others.map(({ value, label }, index) => (
          <CompactButton key={value} ref={suggested === null && index === 0 ? firstAnswer : null} onClick={() => answer(value)}>
            {label}
          </CompactButton>
        ))}
      {inList && (
        <select
          aria-label={`Another answer to: ${question.message}`}
          value=""
          onChange={(event) => event.currentTarget.value !== '' && answer(event.currentTarget.value)}
        >
          <option value="">Other answer</option>
          {others.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

/** One line for each answered question. Changing an answer removes it, so that the question is open again. */
export function AnsweredQuestions() {
  const { data, patch } = useOpenImport()
  return answeredIn(data).map(({ constant, text }) => {
    const value = data.constants[constant]
    // This answer has changed the mapping of the total.
    const total = constant === 'tiv_column' && value === 'building_value' && data.columns.find(({ field }) => field === value)
    const reopen = () => patch({ answers: { [constant]: null }, ...(total && { mapping: { [total.letter]: 'stated_tiv' } }) })
    return (
      <div key={constant} className={classes['answered']}>
        <IconCheck size={14} aria-hidden />
        <p>Answered: {text}</p>
        <CompactButton variant="subtle" aria-label={`Change the answer: ${text}`} onClick={reopen}>
          Change
        </CompactButton>
      </div>
    )
  })
}

/** Amounts in several currencies have no total. */
function totalText({ total, currency: own }: Import['unmapped_money'][number], { sums }: Import): string {
  if (total === null) return 'not all of which can be added up'
  const currency = own ?? (sums === null ? 'USD' : sums.file.currency)
  return currency === null ? 'in several currencies' : `${formatMoney(total, currency)} in total`
}

/** What a user should read before single rows: money without a column, a missing header, remarks on sheets. */
export function FileNotes({ onSelect }: { onSelect: (selection: SheetSelection) => void }) {
  const { data, editable, patch } = useOpenImport()
  const { failure, state, activity, header_row, sheets } = data
  const notes = [
    failure,
    state === 'validated' && activity === null && header_row === null && !sheets.some(({ taken, note }) => taken && note !== null)
      ? 'No header row was found. Select the row that names the columns and “Use as header row”, or choose a field above each column.'
      : null,
    state === 'validated' && activity === null && header_row !== null && !data.columns.some(({ field }) => isInsuredValue(field))
      ? 'No column has insured values, so the properties are imported without any. If one has, choose its field above the column.'
      : null,
    ...sheets.map(({ name, note, taken }) => note && `Sheet “${name}”${taken ? '' : ' is left out'}: ${note}`),
  ].filter((note) => note !== null)
  const selectColumn = (letter: string) =>
    onSelect({ row: header_row ?? 0, column: data.columns.findIndex((one) => one.letter === letter) })
  return (
    <>
      {data.currency_conflict !== null && activity === null && (
        <section className={classes['money']} role="status">
          <p>{data.currency_conflict}</p>
        </section>
      )}
      {state === 'validated' &&
        openMoney(data.unmapped_money).map((money) => {
          const { letter, header } = money
          return (
            <section key={letter} className={classes['money']}>
              <h4>
                Column {letter}, {header === '' ? 'which has no header' : `“${header}”`},{' '}
                {money.per_area ? 'has values per area' : 'is not mapped'}
              </h4>
              {money.per_area ? (
                <p>
                  They are not imported, since a property has the value of the whole building. If the file has no other values, multiply
                  them by the areas in the file.
                </p>
              ) : (
                <p>
                  Its amounts, <strong>{totalText(money, data)}</strong>, will not be imported.
                </p>
              )}
              {editable && (
                <div className={classes['buttons']}>
                  <CompactButton onClick={() => selectColumn(letter)}>Show column</CompactButton>
                  <CompactButton onClick={() => patch({ mapping: { [letter]: 'ignore' } })}>Leave out</CompactButton>
                </div>
              )}
            </section>
          )
        })}
      {notes.map((note) => (
        <p key={note} className={classes['note']} role="status">
          {note}
        </p>
      ))}
    </>
  )
}
