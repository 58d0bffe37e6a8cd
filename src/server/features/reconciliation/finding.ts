import { hash } from 'node:crypto'
import { z } from 'zod'
import { isPropertyField } from '#contract/account-properties.ts'
import type { CheckId, CheckLevel, Severity } from '#contract/checks.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import type { CheckContext } from './check-rules.ts'
import type { CheckedProperty } from './checked-property.ts'

type Value = string | number | null

/** One side of a disagreement: where the value comes from, what it is, how old, and where exactly it stands (a cell, a page, another record). */
export interface Side {
  source: string
  value: Value
  as_of: string | null
  ref: string | null
}

/** One rule that one property breaks. `left` is always the register. */
export interface Finding {
  checkId: CheckId
  propertyId: string
  field: PropertyFieldName | null
  left: Side
  right: Side | null
  delta: number | null
  deltaPct: number | null
  severity: Severity
  message: string
  fingerprint: string
}

/** What a check says; the rest of the finding follows from it. */
export interface Draft {
  field: PropertyFieldName | null
  /** The value in the register that breaks the rule, or the values that do so together. */
  value: Value
  level: CheckLevel
  /** What is wrong, beginning with the name of the field, without a full stop. */
  problem: string
  /** What to do about it, as a sentence. */
  remedy: string
  right?: Side
  /** Right minus left, and as a share of left. */
  delta?: number
  deltaPct?: number
  /** What makes the finding the same one at the next run, when value and right are not the whole of it. */
  identity?: string
}

const Source = z.object({ source: z.string(), at: z.string().nullish(), ref: z.string().nullish() })

/** Where the register's value of a field came from, as far as it was written down. */
function provenance(property: CheckedProperty, field: PropertyFieldName | null): { as_of: string | null; ref: string | null } {
  const { sources } = property
  if (field === null || typeof sources !== 'object' || sources === null || Array.isArray(sources)) return { as_of: null, ref: null }
  const { data } = Source.safeParse(sources[field])
  return { as_of: data?.at ?? null, ref: data?.ref ?? null }
}

const normalised = (value: Value | undefined) =>
  typeof value === 'string' ? value.trim().toLowerCase().replace(/\s+/g, ' ') : (value ?? null)

/**
 * The same for the same check, property, field and values, whatever else changes: a decision stands as long as it does.
 * A changed value makes another one, and so a new difference. 22 characters, 128 bits.
 */
export function fingerprintOf(checkId: CheckId, propertyId: string, draft: Pick<Draft, 'field' | 'value' | 'right' | 'identity'>): string {
  const facts =
    draft.identity === undefined
      ? [checkId, propertyId, draft.field, normalised(draft.value), normalised(draft.right?.value)]
      : [checkId, draft.identity]
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22)
}

/** Completes a draft into the finding that is stored. */
export function finish(checkId: CheckId, property: CheckedProperty, draft: Draft, { rules }: CheckContext): Finding {
  const { as_of, ref } = provenance(property, draft.field)
  const place = ref === null ? '' : ` (${ref})`
  return {
    checkId,
    propertyId: property.id,
    field: draft.field,
    left: { source: 'register', value: draft.value, as_of, ref },
    right: draft.right ?? null,
    delta: draft.delta ?? null,
    deltaPct: draft.deltaPct ?? null,
    severity: rules.severity(checkId, draft.level),
    message: `${draft.problem}${place}. ${draft.remedy}`,
    fingerprint: fingerprintOf(checkId, property.id, draft),
  }
}

export const labelOf = (field: PropertyFieldName) => propertyField(field).label
/** The label of a field as it was stored; what is no field of a property any more keeps its name. */
export const labelOfField = (field: string | null): string => (field !== null && isPropertyField(field) ? labelOf(field) : (field ?? ''))

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
export const formatNumber = (value: number) => whole.format(value)
/** Money in the property's own currency: "$1,200" or "CAD 1,200". */
export const formatMoney = (value: number, currency: string) =>
  currency === 'USD' ? dollars.format(value) : `${currency} ${whole.format(value)}`
export const formatPercent = (share: number) => `${whole.format(share * 100)} %`
