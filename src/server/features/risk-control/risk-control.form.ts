import { sql } from 'kysely'
import { optionsOf, type FormField } from '#contract/form.ts'
import { RECOMMENDATIONS_MAX } from '#contract/limits.ts'
import { PRIORITIES, RECOMMENDATION_CATEGORIES, RECOMMENDATION_TYPES, isOpen } from '#contract/recommendations.ts'
import {
  RISK_CONTROL_FIELDS,
  RISK_CONTROL_FIELD_NAMES,
  RISK_CONTROL_SECTIONS,
  type RiskControlField,
  type RiskControlSection,
} from '#contract/risk-control-fields.ts'
import { codesOf } from '#contract/code-lists.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { visibleRiskControl } from '#server/access/risk-control.ts'
import type { Context } from '#server/engines/context.ts'
import { field, valueField } from '#server/engines/record/form-fields.ts'
import { notFound } from '#server/kernel/errors.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { inputOf, valuesOf } from './risk-control.presenter.ts'
import { loadReports, today, type ReportRecord } from './risk-control.queries.ts'

interface Place {
  account_id: string
  property_id: string
  company_id: string
  currency: string
  carrier: string | null
}

/** The sections of a report, its recommendations and documents. A new report begins with the open recommendations of earlier ones. */
export async function riskControlForm(ctx: Context, record: ReportRecord | undefined, presets: Record<string, unknown>) {
  const place = record ?? (await presetPlace(ctx, presets['property_id']))
  const values =
    record === undefined ? { title: 'Risk control report', carrier: place?.carrier, survey_date: today(ctx) } : valuesOf(record)
  const fieldsIn = (section: RiskControlSection) =>
    RISK_CONTROL_FIELD_NAMES.flatMap((name) => {
      const definition = RISK_CONTROL_FIELDS[name]
      return definition?.section === section
        ? [formField(name, definition, new Map<string, unknown>(Object.entries(values)).get(name) ?? '')]
        : []
    })
  const sections = codesOf(RISK_CONTROL_SECTIONS).map((section) => ({ title: RISK_CONTROL_SECTIONS[section], fields: fieldsIn(section) }))
  const [general = { title: '', fields: [] }, ...others] = sections
  const currency = field('currency', 'Currency', 'text', place?.currency ?? 'USD', { disabled: true, help: 'That of the property.' })
  return [
    {
      ...general,
      fields: [...(record === undefined ? [propertyField] : []), ...general.fields, ...(await statusFields(ctx, record, place))],
    },
    ...others.map((section) =>
      section.title === RISK_CONTROL_SECTIONS.losses ? { ...section, fields: [...section.fields, currency] } : section,
    ),
    { title: 'Recommendations', fields: [recommendationsField(await recommendationsOf(ctx, record, place))] },
    { title: 'Documents', fields: await documentFields(ctx, record, place) },
  ]
}

const propertyField = field('property_id', 'Property', 'search', '', { search: 'account_properties', required: true })

function formField(name: string, definition: RiskControlField, value: unknown) {
  const shared = { required: definition.level === 'required', ...(definition.help === undefined ? {} : { help: definition.help }) }
  switch (definition.kind) {
    case 'paragraphs':
      return field(name, definition.label, 'textarea', value, { ...shared, max: definition.max })
    case 'email':
      return field(name, definition.label, 'email', value, { ...shared, max: definition.max })
    case 'day':
      return field(name, definition.label, 'date', value, shared)
    default:
      return valueField(name, definition, value)
  }
}

/** The property that a new report is for; undefined if the form was opened without one. */
async function presetPlace(ctx: Context, id: unknown): Promise<Place | undefined> {
  if (typeof id !== 'string' || !isUuid(id)) return undefined
  const property = await ctx.db
    .selectFrom('account_properties')
    .innerJoin('accounts', 'accounts.id', 'account_properties.account_id')
    .select(['account_properties.account_id', 'account_properties.id as property_id', 'accounts.company_id', 'account_properties.currency'])
    .select('accounts.carrier_name as carrier')
    .where('account_properties.id', '=', id)
    .where('account_properties.deleted_at', 'is', null)
    .where(visibleProperties(ctx.viewer))
    .executeTakeFirst()
  if (property === undefined) throw notFound('Property')
  return property
}

async function statusFields(ctx: Context, record: ReportRecord | undefined, place: { company_id: string } | undefined) {
  if (place === undefined) return []
  const statuses = await ctx.db
    .selectFrom('statuses')
    .select(['id', 'name'])
    .where('company_id', '=', place.company_id)
    .where('model_type', '=', 'risk_control')
    .orderBy('position')
    .orderBy('name')
    .execute()
  const [draft] = statuses
  const options = statuses.map(({ id, name }) => ({ value: id, label: name }))
  return [
    field('status_id', 'Status', 'select', record?.status_id ?? draft?.id ?? '', {
      options,
      required: true,
      ...(draft === undefined ? {} : { help: `Carriers and guests do not see it while it is ${draft.name}.` }),
    }),
  ]
}

async function recommendationsOf(ctx: Context, record: ReportRecord | undefined, place: Place | ReportRecord | undefined) {
  if (record !== undefined) return record.recommendations.map(inputOf)
  if (place === undefined) return []
  const { property_id: id } = place
  const earlier = await loadReports(
    ctx,
    sql<boolean>`risk_control.property_id = ${id} AND risk_control.deleted_at IS NULL AND ${visibleRiskControl(ctx.viewer)}`,
  )
  const open = earlier.flatMap(({ recommendations }) => recommendations).filter((one) => one.repeated_in === null && isOpen(one.status))
  return open.toSorted((left, right) => left.number.localeCompare(right.number)).map((one) => ({ ...inputOf(one), id: null }))
}

const itemFields = [
  field('title', 'Title', 'text', '', { required: true, max: 200 }),
  field('priority', 'Priority', 'select', 'important', { required: true, options: optionsOf(PRIORITIES) }),
  field('description', 'Description', 'textarea', '', { max: 5_000 }),
  field('category', 'Category', 'select', '', { options: optionsOf(RECOMMENDATION_CATEGORIES) }),
  field('type', 'Type', 'select', '', { options: optionsOf(RECOMMENDATION_TYPES) }),
  field('issued_on', 'Issued on', 'date', '', { help: 'If empty, the date of the report.' }),
  field('due_on', 'Due on', 'date', '', { help: 'If empty, 30, 90 or 180 days later by priority.' }),
  field('responsible', 'Responsible', 'text', '', { max: 120 }),
  field('cost_estimate', 'Cost estimate', 'money', ''),
  field('loss_before', 'Loss estimate before', 'money', ''),
  field('loss_after', 'Loss estimate after', 'money', ''),
]
const recommendationsField = (value: unknown): FormField => ({
  ...field('recommendations', 'Recommendations', 'group', value),
  fields: itemFields,
  max: RECOMMENDATIONS_MAX,
  item: { one: 'recommendation', heading: ['number', 'title'] },
})

/** Documents that are linked to the property, and those of the report. */
async function documentFields(ctx: Context, record: ReportRecord | undefined, place: Place | ReportRecord | undefined) {
  if (place === undefined) return []
  const { rows } = await sql<{ id: string; name: string; photo: boolean }>`SELECT account_files.id,
      coalesce(account_files.vanity_name, account_files.original_file_name) AS name, account_files.content_type LIKE 'image/%' AS photo
    FROM account_files WHERE account_files.account_id = ${place.account_id} AND account_files.deleted_at IS NULL AND ${visibleFiles(ctx.viewer)}
      AND (EXISTS (SELECT 1 FROM account_file_properties l WHERE l.file_id = account_files.id AND l.property_id = ${place.property_id})
        OR EXISTS (SELECT 1 FROM risk_control_files l WHERE l.file_id = account_files.id AND l.risk_control_id = ${record?.id ?? null}::uuid))
    ORDER BY lower(coalesce(account_files.vanity_name, account_files.original_file_name)), account_files.id`.execute(ctx.db)
  const choose = (name: 'files' | 'photos', label: string, isShown: (photo: boolean) => boolean) => {
    const chosen = record?.[name].map(({ id }) => id) ?? []
    const options = rows
      .filter(({ id, photo }) => isShown(photo) || chosen.includes(id))
      .map((file) => ({ value: file.id, label: file.name }))
    return options.length === 0
      ? []
      : [field(name, label, 'multiselect', chosen, { options, help: 'Documents that are linked to the property.' })]
  }
  return [...choose('files', 'Files', (photo) => !photo), ...choose('photos', 'Photos', (photo) => photo)]
}
