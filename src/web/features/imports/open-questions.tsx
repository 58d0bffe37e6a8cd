import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import type { RefObject } from 'react'
import { formatMoney } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { CompactButton } from './compact-button.ts'
import type { SheetSelection } from './sheet-selection.ts'
import classes from './side-panel.module.css'
import { useOpenImport } from './use-import.ts'

/** The possible answers to a question, by the constant of the import that stores the answer. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  factor: { 1: 'No, as written', 1_000: 'In thousands', 1_000_000: 'In millions' },
  date_order: { mdy: 'Month first', dmy: 'No, day first' },
  area_unit: { sqft: 'Square feet', m2: 'Square meters' },
  construction_scheme: { words: 'Words', iso: 'ISO classes', oed: 'OED codes', air: 'AIR codes', rms: 'RMS codes' },
  occupancy_scheme: { words: 'Words', oed: 'OED codes', air: 'AIR codes', hazus: 'HAZUS codes', atc: 'ATC codes' },
}

/** "Yes, × 1,000" for a factor. */
const yesLabel = (constant: string, suggestion: string) =>
  constant === 'factor' ? `Yes, × ${suggestion.replace(/\B(?=(\d{3})+$)/g, ',')}` : 'Yes'

/** Questions about the file that only a person can answer. Each blocks the commit; one click gives the suggested answer. */
export function OpenQuestions({ firstAnswer }: { firstAnswer: RefObject<HTMLButtonElement | null> }) {
  const { data, patch } = useOpenImport()
  const answer = (constant: string, value: string) => patch({ constants: { ...data.constants, [constant]: value } })
  return data.questions.map(({ constant, suggestion, message, options }, index) => {
    const others = Object.entries(options ?? ANSWERS[constant] ?? {}).filter(([value]) => value !== suggestion)
    const [only] = others
    return (
      <section key={constant} className={classes['question']} aria-label={`Question ${index + 1}`}>
        <span className={classes['disc']} aria-hidden>
          {index + 1}
        </span>
        <p>{message}</p>
        <div className={classes['buttons']}>
          <CompactButton
            ref={index === 0 ? firstAnswer : null}
            variant={index === 0 ? 'filled' : 'default'}
            onClick={() => answer(constant, suggestion)}
          >
            {yesLabel(constant, suggestion)}
          </CompactButton>
          {others.length === 1 && only && <CompactButton onClick={() => answer(constant, only[0])}>{only[1]}</CompactButton>}
          {others.length > 1 && (
            <select
              aria-label={`Another answer to: ${message}`}
              value=""
              onChange={(event) => event.currentTarget.value !== '' && answer(constant, event.currentTarget.value)}
            >
              <option value="">Other answer</option>
              {others.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </div>
      </section>
    )
  })
}

const SCHEMES: Readonly<Record<string, string>> = {
  words: 'words',
  iso: 'ISO classes',
  oed: 'OED codes',
  air: 'AIR codes',
  rms: 'RMS codes',
  hazus: 'HAZUS codes',
  atc: 'ATC codes',
}

/** What each answer says about the file, by constant and value; a function for a constant that can have any value. */
const ANSWERED: Readonly<Record<string, Readonly<Record<string, string>> | ((value: string) => string)>> = {
  factor: { 1: 'values are as written', 1_000: 'values are in thousands', 1_000_000: 'values are in millions' },
  currency: (value) => `amounts are in ${value}`,
  tiv_column: { building_value: 'the total is the building value', stated_tiv: 'the total is only a total' },
  repeated_locations: {
    buildings: 'repeated locations are further buildings',
    first: 'of repeated locations only the first row counts',
    sum: 'values of repeated locations are added up',
    errors: 'repeated locations are errors',
  },
  marked_rows: {
    leave_out: 'rows marked as sold, closed or not insured are left out',
    import: 'rows marked as sold, closed or not insured are imported',
  },
  new_numbers: { leave: 'properties stay at their numbers if others have the new ones' },
  blank_addresses: {
    above: 'rows without an address are buildings of the location above',
    errors: 'rows without an address are errors',
  },
  other_tables: {
    exclude: 'rows below another header are left out',
    include: 'rows below another header are read like the rows above',
  },
  side_table: {
    exclude: 'the table on the right is left out',
    include: 'the columns on the right belong to the locations',
  },
  other_sheets: { include: 'the selected sheets are imported together' },
  hidden_rows: { include: 'hidden rows are imported', exclude: 'hidden rows are left out' },
  struck_rows: { include: 'rows that are struck through are imported', exclude: 'rows that are struck through are left out' },
  date_order: { mdy: 'dates are month first', dmy: 'dates are day first' },
  number_dates: {
    month_day: 'dates in columns of numbers are month and day',
    day_month: 'dates in columns of numbers are day and month',
    text: 'dates in columns of numbers are as written',
  },
  dots: { thousands: '12.000 is 12,000', decimals: '12.000 is 12' },
  area_unit: { sqft: 'areas are in square feet', m2: 'areas are in square meters' },
  construction_scheme: (value) => `construction is in ${SCHEMES[value] ?? value}`,
  occupancy_scheme: (value) => `occupancy is in ${SCHEMES[value] ?? value}`,
}

/** One line for each answered question. Changing an answer removes it, so that the question is open again. */
export function AnsweredQuestions() {
  const { data, patch } = useOpenImport()
  return Object.entries(ANSWERED).map(([constant, answers]) => {
    const { [constant]: value, ...others } = data.constants
    const answer = value !== undefined && (typeof answers === 'function' ? answers(value) : answers[value])
    if (!answer) return null
    return (
      <div key={constant} className={classes['answered']}>
        <IconCheck size={14} aria-hidden />
        <p>Answered: {answer}</p>
        <CompactButton variant="subtle" aria-label={`Change the answer: ${answer}`} onClick={() => patch({ constants: others })}>
          Change
        </CompactButton>
      </div>
    )
  })
}

/** Amounts in several currencies have no total. */
function totalText({ total, currency: own }: Import['unmapped_money'][number], { sums }: Import): string {
  if (total === null) return 'some of them cannot be read'
  const currency = own ?? (sums === null ? 'USD' : sums.file.currency)
  return currency === null ? 'in several currencies' : `${formatMoney(total, currency)} in total`
}

/** What a user should read before single rows: money without a column, a repeated file, a missing header, remarks on sheets. */
export function FileNotes({ onSelect }: { onSelect: (selection: SheetSelection) => void }) {
  const { data, editable, patch } = useOpenImport()
  const { repeats, failure, state, activity, header_row, sheets, unmapped_money } = data
  const notes = [
    failure,
    state === 'validated' && activity === null && header_row === null && !sheets.some(({ taken, note }) => taken && note !== null)
      ? 'No header row was found. Select the row that names the columns and “Use as header row”, or choose a field above each column.'
      : null,
    repeats &&
      `This file was imported before, as “${repeats.file_name}”. Importing it again does not change values that are already up to date.`,
    ...sheets.map(({ name, note, taken }) => note && `Sheet “${name}”${taken ? '' : ' is left out'}: ${note}`),
  ].filter((note) => note !== null)
  const selectColumn = (letter: string) =>
    onSelect({ row: header_row ?? 0, column: data.columns.findIndex((one) => one.letter === letter) })
  return (
    <>
      {state === 'validated' &&
        unmapped_money.map((money) => {
          const { letter, header } = money
          return (
            <section key={letter} className={classes['money']}>
              <h4>
                Column {letter}, {header === '' ? 'which has no header' : `“${header}”`}, is not mapped
              </h4>
              <p>
                Its amounts, <strong>{totalText(money, data)}</strong>, will not be imported.
              </p>
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
