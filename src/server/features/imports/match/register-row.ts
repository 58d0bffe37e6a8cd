import type { PropertyValues } from '#contract/property-fields.ts'

/** A property of the register as matching and comparing need it. */
export interface RegisterRow {
  id: string
  status: 'active' | 'divested'
  trashed: boolean
  version: number
  addressKey: string | null
  weakAddressKey: string | null
  values: Partial<PropertyValues>
  custom: Record<string, string>
}
