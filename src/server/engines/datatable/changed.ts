import type { ChangedRecord } from '#contract/datatable.ts'
import { plural } from '#contract/format.ts'
import { MODELS, type Model } from '#contract/models.ts'
import { conflict } from '#server/kernel/errors.ts'

/** What an action did, and to which records. */
export interface Changed {
  message: string
  changed: ChangedRecord[]
}

export type Versions = Readonly<Record<string, number>>

/** What an action did to the selected records: "2 properties reactivated; 1 property was already active." */
export function changedMessage(model: Model, changed: number, total: number, done: string, state: string): string {
  const { one, many } = MODELS[model]
  const skipped = total - changed
  const already = `${plural(skipped, `${one} was`, `${many} were`)} already ${state}`
  const parts = [changed > 0 && `${plural(changed, one, many)} ${done}`, skipped > 0 && already]
  return `${parts.filter(Boolean).join('; ')}.`
}

/** Throws `conflict` if one of the locked records has changed since the action that is undone. */
export function requireUnchanged(model: Model, records: readonly ChangedRecord[], versions: Versions | undefined): void {
  if (versions !== undefined && records.some(({ id, version }) => versions[id] !== version))
    throw conflict(`One of the ${MODELS[model].many} was changed since, so nothing was undone.`)
}
