import { can, type Viewer } from '#server/access/viewer.ts'

const UNTOLD = { active: 0, divested: 0, tiv: 0 }

/** What the database counts of an account's register, for those only who may open it. */
export function seenProperties(viewer: Viewer, kept: { active_properties: number; divested_properties: number; tiv: number }) {
  if (!can(viewer, 'view_account_properties')) return UNTOLD
  return { active: kept.active_properties, divested: kept.divested_properties, tiv: kept.tiv }
}
