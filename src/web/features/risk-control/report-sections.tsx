import { Link } from '@tanstack/react-router'
import { codesOf } from '#contract/code-lists.ts'
import { formatDate } from '#contract/format.ts'
import { formatFieldValue } from '#contract/property-format.ts'
import {
  HAZARDS,
  LOSS_ESTIMATES,
  OPINIONS,
  RISK_CONTROL_FIELDS,
  RISK_CONTROL_FIELD_NAMES,
  type RiskControlSection,
} from '#contract/risk-control-fields.ts'
import type { RiskControl } from '#contract/risk-control.ts'
import { useCan, useSession, useToday } from '#web/data/session.ts'
import { Facts, type Fact } from '#web/engines/panel/facts.tsx'
import { paths } from '#web/paths.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { DueMark } from './due-mark.tsx'
import classes from './report.module.css'

/** The value of a field as text; '' if it is empty. */
function textOf({ values, currency }: RiskControl, name: string): string {
  const [field, value] = [RISK_CONTROL_FIELDS[name], values[name]]
  if (field === undefined || value === undefined || value === null) return ''
  switch (field.kind) {
    case 'paragraphs':
    case 'email':
      return String(value)
    case 'day':
      return formatDate(String(value), 'UTC')
    default:
      return formatFieldValue(field, value, currency)
  }
}

/** The filled fields of a section. */
const factsOf = (report: RiskControl, section: RiskControlSection, without: readonly string[] = []): Fact[] =>
  RISK_CONTROL_FIELD_NAMES.filter((name) => RISK_CONTROL_FIELDS[name]?.section === section && !without.includes(name)).flatMap((name) => {
    const value = textOf(report, name)
    return value === '' ? [] : [{ label: RISK_CONTROL_FIELDS[name]?.label ?? name, value }]
  })

/** Account, property and date at the top of the screen and of the first printed page, and the state of the report. */
export function ReportHead({ report }: { report: RiskControl }) {
  const { account_id: accountId, property_id: propertyId, property, status, recommendations } = report
  const zone = useSession().auth_user.company.timezone
  const today = useToday()
  const count = (due: 'overdue' | 'due') => recommendations.filter((one) => one.due === due).length
  const nextDue = report.values['next_survey_due']
  const isSurveyDue = typeof nextDue === 'string' && nextDue < today
  const facts: Fact[] = [
    { label: 'Account', value: report.account_name },
    {
      label: 'Property',
      value: (
        <>
          <Link to={paths.property(accountId, propertyId)} search={true}>
            {property.title}
          </Link>
          <br />
          {property.address}
          {property.status === 'divested' && ' (divested)'}
        </>
      ),
    },
    { label: 'Status', value: status && <StatusDot color={status.color} name={status.name} /> },
    { label: 'Overall rating', value: textOf(report, 'overall_rating') },
    ...factsOf(report, 'survey', ['next_survey_due']),
    {
      label: 'Next survey due',
      value: (
        <>
          {textOf(report, 'next_survey_due')} {isSurveyDue && <DueMark due="overdue">overdue</DueMark>}
        </>
      ),
    },
  ]
  return (
    <div className={classes['head']}>
      {report.deleted_at !== null && <Notice kind="warning">This report is in the trash.</Notice>}
      {status?.draft === true && <Notice kind="info">{`${status.name}: carriers and guests do not see this report.`}</Notice>}
      {(count('overdue') > 0 || count('due') > 0) && (
        <p className={classes['dueLine']}>
          {count('overdue') > 0 && <DueMark due="overdue">{`${String(count('overdue'))} overdue`}</DueMark>}
          {count('due') > 0 && <DueMark due="due">{`${String(count('due'))} due soon`}</DueMark>}
        </p>
      )}
      <Facts facts={facts} />
      <p className={classes['printed']}>
        Printed <DateText iso={today} zone={zone} />
      </p>
    </div>
  )
}

const Prose = ({ children }: { children: string }) => <p className={classes['prose']}>{children}</p>

export function ReportSummary({ report }: { report: RiskControl }) {
  const text = textOf(report, 'executive_summary')
  return text === '' ? null : (
    <TitledSection title="Executive summary">
      <Prose>{text}</Prose>
    </TitledSection>
  )
}

interface RatedProps {
  title: string
  report: RiskControl
  names: Readonly<Record<string, string>>
  rating: (name: string) => string
  note: (name: string) => string
}

/** Ratings with their remarks; only what the report states. */
function Rated({ title, report, names, rating, note }: RatedProps) {
  const rows = codesOf(names)
    .map((name) => ({ name, label: names[name], level: textOf(report, rating(name)), text: textOf(report, note(name)) }))
    .filter(({ level, text }) => level !== '' || text !== '')
  if (rows.length === 0) return null
  return (
    <TitledSection title={title}>
      <Facts
        facts={rows.map(({ label = '', level, text }) => ({
          label,
          value: (
            <>
              <strong>{level}</strong>
              {text !== '' && <Prose>{text}</Prose>}
            </>
          ),
        }))}
      />
    </TitledSection>
  )
}

/** What the survey found, without the recommendations. */
export function ReportFindings({ report }: { report: RiskControl }) {
  const water = factsOf(report, 'water')
  const history = textOf(report, 'loss_history')
  return (
    <>
      <Rated title="Opinions" report={report} names={OPINIONS} rating={(name) => `${name}_rating`} note={(name) => `${name}_opinion`} />
      <Observed report={report} />
      {water.length > 0 && (
        <TitledSection title="Water supply">
          <Facts facts={water} />
        </TitledSection>
      )}
      <Losses report={report} />
      <Rated title="Natural hazards" report={report} names={HAZARDS} rating={(name) => `${name}_hazard`} note={(name) => `${name}_note`} />
      {history !== '' && (
        <TitledSection title="Loss history">
          <Prose>{history}</Prose>
        </TitledSection>
      )}
    </>
  )
}

/** What the survey observed, and where the register of today has another value. */
function Observed({ report: { observed } }: { report: RiskControl }) {
  if (observed.length === 0) return null
  const facts = observed.map(({ label, report, register, differs }) => ({
    label,
    value: differs ? <DueMark due="due">{`Register: ${register ?? ''} · Report: ${report}`}</DueMark> : report,
  }))
  return (
    <TitledSection title="Observed at the survey">
      <Facts facts={facts} />
    </TitledSection>
  )
}

function Losses({ report }: { report: RiskControl }) {
  const facts = codesOf(LOSS_ESTIMATES).flatMap((name) => {
    const [amount, percent] = [textOf(report, `${name}_amount`), textOf(report, `${name}_percent`)]
    const value = [amount, percent && `${percent} of TIV`].filter(Boolean).join(' · ')
    return value === '' ? [] : [{ label: RISK_CONTROL_FIELDS[`${name}_amount`]?.label ?? name, value }]
  })
  return facts.length === 0 ? null : (
    <TitledSection title="Loss estimates">
      <Facts facts={facts} />
    </TitledSection>
  )
}

/** The documents and photos of the report. */
export function ReportSources({ report: { account_id: accountId, files, photos } }: { report: RiskControl }) {
  const mayOpen = useCan()('view_account_files')
  const lists = [
    { title: 'Documents', shown: files },
    { title: 'Photos', shown: photos },
  ]
  return lists.map(
    ({ title, shown }) =>
      shown.length > 0 && (
        <TitledSection key={title} title={title}>
          <ul className={classes['files']}>
            {shown.map(({ id, name }) => (
              <li key={id}>
                {mayOpen ? (
                  <Link to={paths.file(accountId, id)} search={true}>
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </li>
            ))}
          </ul>
        </TitledSection>
      ),
  )
}
