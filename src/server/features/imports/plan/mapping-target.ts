import { propertyField } from '#contract/property-fields.ts'
import { isFieldName } from '#server/features/imports/headers/header-target.ts'
import type { MappingTarget } from './propose-mapping.ts'

/** Whether a column may be sent there: an importable field, the address to be split, an extra column, or nowhere. */
export const isMappingTarget = (target: string): target is MappingTarget =>
  target === 'full_address' || target === 'custom' || target === 'ignore' || (isFieldName(target) && propertyField(target).importable)

/** Fields that several columns may feed together. */
export const isSummable = (target: string): boolean => target === 'bi_value' || target === 'contents_value'
