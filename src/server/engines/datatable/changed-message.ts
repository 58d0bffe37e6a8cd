import { plural } from '#contract/format.ts'
import { MODELS, type Model } from '#contract/models.ts'

/** What an action did to the selected records: "2 properties reactivated; 1 property was already active." */
export function changedMessage(model: Model, changed: number, total: number, done: string, state: string): string {
  const { one, many } = MODELS[model]
  const skipped = total - changed
  const already = `${plural(skipped, `${one} was`, `${many} were`)} already ${state}`
  const parts = [changed > 0 && `${plural(changed, one, many)} ${done}`, skipped > 0 && already]
  return `${parts.filter(Boolean).join('; ')}.`
}
