import { z } from 'zod'
import { propertyFieldSchema } from './account-properties.ts'
import { Cell, RowBase } from './datatable.ts'
import { REPORT_FILES_MAX } from './limits.ts'
import { Recommendation, RecommendationInputs, respondCall, type RecommendationInput } from './recommendations.ts'
import { RecordBase, recordCalls, updateOf } from './record.ts'
import { RISK_CONTROL_FIELDS, RISK_CONTROL_FIELD_NAMES, type RiskControlField } from './risk-control-fields.ts'
import { Id, Nothing, call, day, json, orNull, paragraphs, text } from './route.ts'
import { SearchInAccountQuery } from './search.ts'

export const RiskControlRow = RowBase.extend({
  account_id: Id,
  property_id: Id,
  report_number: Cell,
  title: Cell,
  property: Cell,
  survey_date: Cell,
  survey_type: Cell,
  surveyor: Cell,
  overall_rating: Cell,
  status: Cell,
  recommendations: Cell,
  next_survey_due: Cell,
  updated_at: Cell,
  /** Recommendations that are not closed, those of them that are past their due date, and those that are due soon. */
  open: z.number(),
  overdue: z.number(),
  due: z.number(),
})
export type RiskControlRow = z.output<typeof RiskControlRow>

const Status = z.object({ id: Id, name: z.string(), color: z.string(), draft: z.boolean() })
const ReportFile = z.object({ id: Id, name: z.string(), category: z.string() })

/** A value that the survey observed, with that of the register at present; `differs` is computed whenever the report is read. */
const Observed = z.object({
  field: z.string(),
  label: z.string(),
  report: z.string(),
  register: z.string().nullable(),
  differs: z.boolean(),
})

export const RiskControl = RecordBase.extend({
  account_id: Id,
  account_name: z.string(),
  property_id: Id,
  property: z.object({ title: z.string(), address: z.string(), status: z.string() }),
  currency: z.string(),
  /** The fields of RISK_CONTROL_FIELDS by their names. */
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  status: Status.nullable(),
  observed: z.array(Observed),
  recommendations: z.array(Recommendation),
  files: z.array(ReportFile),
  photos: z.array(ReportFile),
  created_by: z.string().nullable(),
  accessible_features: RecordBase.shape.accessible_features.extend({ respond: z.boolean() }),
})
export type RiskControl = z.output<typeof RiskControl>

type Values = Record<string, string | number | null>
export interface RiskControlInput {
  property_id: string
  account_id?: string | undefined
  status_id?: string | undefined
  files?: string[] | undefined
  photos?: string[] | undefined
  recommendations?: RecommendationInput[] | undefined
  /** The fields of RISK_CONTROL_FIELDS that were sent; the schema has checked each of them. */
  [field: string]: unknown
}

/** The check of one field. */
function fieldSchema(field: RiskControlField): z.ZodType {
  const isRequired = field.level === 'required'
  switch (field.kind) {
    case 'paragraphs':
      return orNull(paragraphs(field.max))
    case 'email':
      return orNull(text(field.max).pipe(z.email('Please enter an email address.')))
    case 'day': {
      const schema = day(`${field.label} must be a date, YYYY-MM-DD.`, field.yearsAhead)
      return isRequired ? schema : orNull(schema)
    }
    default:
      return propertyFieldSchema(field)
  }
}

const { title, survey_date, ...optional } = Object.fromEntries(
  RISK_CONTROL_FIELD_NAMES.flatMap((name) => {
    const field = RISK_CONTROL_FIELDS[name]
    return field === undefined ? [] : [[name, fieldSchema(field)] as const]
  }),
)
const Ids = z.array(Id).max(REPORT_FILES_MAX, `A report has at most ${REPORT_FILES_MAX} of them.`)
const Input = z.strictObject({
  property_id: Id,
  account_id: Id.optional(),
  status_id: Id.optional(),
  title: title ?? z.string(),
  survey_date: survey_date ?? z.string(),
  ...Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, schema.optional()])),
  files: Ids.optional(),
  photos: Ids.optional(),
  recommendations: RecommendationInputs.optional(),
})

type Sent = Values & Record<string, unknown>
export const RiskControlInputSchema = Input as unknown as z.ZodType<RiskControlInput, Sent> // the shape is built from RISK_CONTROL_FIELDS
const RiskControlUpdate = updateOf(Input) as unknown as z.ZodType<Partial<RiskControlInput> & { version?: number; id?: string }, Sent> // as above

const calls = recordCalls('risk_control', {
  row: RiskControlRow,
  record: RiskControl,
  input: RiskControlInputSchema,
  update: RiskControlUpdate,
})

export const riskControlCalls = {
  ...calls,
  form: { ...calls.form, query: z.looseObject({ account_id: Id.optional(), property_id: Id.optional() }) },
  search: { ...calls.search, query: SearchInAccountQuery },
  remove: call('DELETE', '/risk_control/:id', 'delete_risk_control', 'Trash one risk control report', { output: json(Nothing) }),
  respond: respondCall,
}
