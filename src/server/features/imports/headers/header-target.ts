import { PROPERTY_FIELDS, type PropertyFieldName } from '#contract/property-fields.ts'

/** What a header may mean: a field of the property, an address in one cell, or something the register has no home for. */
export const OTHER_TARGETS = ['full_address', 'status', 'divested_on', 'notes', 'ignore'] as const
export type HeaderTarget = PropertyFieldName | (typeof OTHER_TARGETS)[number]

export const isFieldName = (target: string): target is PropertyFieldName => Object.hasOwn(PROPERTY_FIELDS, target)
export const isHeaderTarget = (target: string): target is HeaderTarget =>
  isFieldName(target) || OTHER_TARGETS.some((other) => other === target)
