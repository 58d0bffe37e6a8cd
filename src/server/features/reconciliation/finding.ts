import { hash } from 'node:crypto'
import { z } from 'zod'
import { isPropertyField } from '#contract/account-properties.ts'
import type { CheckId, CheckLevel, Severity } from '#contract/checks.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import type { CheckContext } from './check-context.ts'
import type { CheckedProperty } from './checked-property.ts'

type Value = string | number | null

/** One side of a discrepancy: a value, its source and age, and the exact place (a cell, a page, another record). */
export const Side = z.object({
  source: z.string(),
  value: z.union([z.string(), z.number(), z.null()]),
  as_of: z.string().nullable(),
  ref: z.string().nullable(),
})
export type Side = z.output<typeof Side>

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

/** The result of a check, from which `toFinding` makes the finding. */
export interface Draft {
  field: PropertyFieldName | null
  /** The value in the register that breaks the rule, or the values that do so together. */
  value: Value
  /** What is wrong, beginning with the name of the field, without a full stop. */
  problem: string
  /** What to do about it, as a sentence. */
  remedy: string
  /** `usual` unless given. */
  level?: CheckLevel
  right?: Side
  /** Right minus left, and as a share of left. */
  delta?: number
  deltaPct?: number
  /** Identifies the finding in later runs, where value and right are not enough. */
  identity?: string
}

type Details = Pick<Draft, 'level' | 'right' | 'delta' | 'deltaPct' | 'identity'>

export const draft = (field: Draft['field'], value: Value, problem: string, remedy: string, details: Details = {}): Draft => ({
  field,
  value,
  problem,
  remedy,
  ...details,
})

/** The other side of a draft. */
export const side = (source: string, value: Value, ref: string | null = null): Side => ({ source, value, as_of: null, ref })

export function toFinding(checkId: CheckId, property: CheckedProperty, found: Draft, { rules }: CheckContext): Finding {
  const { as_of, ref } = provenance(property, found.field)
  const place = ref === null ? '' : ` (${ref})`
  return {
    checkId,
    propertyId: property.id,
    field: found.field,
    left: { source: 'register', value: found.value, as_of, ref },
    right: found.right ?? null,
    delta: found.delta ?? null,
    deltaPct: found.deltaPct ?? null,
    severity: rules.severity(checkId, found.level ?? 'usual'),
    message: `${found.problem}${place}. ${found.remedy}`,
    fingerprint: fingerprintOf(checkId, property.id, found),
  }
}

const Source = z.object({ source: z.string(), at: z.string().nullish(), ref: z.string().nullish() })

/** Where the register's value of a field came from, if that was stored. */
function provenance({ sources }: CheckedProperty, field: PropertyFieldName | null): { as_of: string | null; ref: string | null } {
  if (field === null || typeof sources !== 'object' || sources === null || Array.isArray(sources)) return { as_of: null, ref: null }
  const { data } = Source.safeParse(sources[field])
  return { as_of: data?.at ?? null, ref: data?.ref ?? null }
}

/**
 * Equal for equal check, property, field and values, so that a decision remains valid while other fields change. A changed value
 * makes a new discrepancy. 22 characters, 128 bits.
 */
function fingerprintOf(checkId: CheckId, propertyId: string, { field, value, right, identity }: Draft): string {
  const facts = identity === undefined ? [checkId, propertyId, field, normalize(value), normalize(right?.value)] : [checkId, identity]
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22)
}

const normalize = (value: Value | undefined) =>
  typeof value === 'string' ? value.trim().toLowerCase().replace(/\s+/g, ' ') : (value ?? null)

export const labelOf = (field: PropertyFieldName) => propertyField(field).label
/** The label of a stored field name; a name that is no longer a field is its own label. */
export const labelOfField = (field: string | null): string => (field !== null && isPropertyField(field) ? labelOf(field) : (field ?? ''))
