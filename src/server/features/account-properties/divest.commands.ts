import { sql } from 'kysely'
import type { z } from 'zod'
import type { DivestInput } from '#contract/account-properties.ts'
import { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import { propertyRules } from '#server/access/account-properties.ts'
import type { Context } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid } from '#server/kernel/errors.ts'
import { announce, refuseTakenNumber, valuesOf } from './properties.commands.ts'
import { propertyLabel } from './property-words.ts'
import { findProperty } from './properties.queries.ts'

/** Out of the active register, its totals, checks and map; kept for history with date and reason (domain section 14). */
export async function divestProperties(ctx: Context, ids: readonly string[], input: z.output<typeof DivestInput>): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const id of [...ids].sort()) {
      const property = await findProperty(tx, id)
      if (property.status === 'divested') continue
      if (!propertyRules(tx.viewer, property).divest) throw forbidden()
      if (property.acquired_on !== null && input.divested_on < property.acquired_on) {
        throw invalid({ divested_on: [`${propertyLabel(valuesOf(property))} was acquired on ${property.acquired_on}, after this date.`] })
      }
      await tx.db
        .updateTable('account_properties')
        .set({
          status: 'divested',
          divested_on: input.divested_on,
          divested_reason: input.divested_reason,
          divested_note: input.divested_note ?? null,
          version: sql`version + 1`,
          updated_at: tx.clock.now(),
        })
        .where('id', '=', id)
        .execute()
      const reason = DIVESTED_REASONS[input.divested_reason].toLowerCase()
      await announce(tx, property, {
        class: 'updated',
        message: `{user} marked ${propertyLabel(valuesOf(property))} as divested (${reason})`,
      })
    }
  })
}

/** Back into the active register, unless another active property has taken its number meanwhile. */
export async function reactivateProperties(ctx: Context, ids: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const id of [...ids].sort()) {
      const property = await findProperty(tx, id)
      if (property.status === 'active') continue
      if (!propertyRules(tx.viewer, property).update) throw forbidden()
      const label = propertyLabel(valuesOf(property))
      await refuseTakenNumber(tx, property.account_id, valuesOf(property), id).catch((error: unknown) => {
        throw conflict(`${label} cannot be reactivated: another active property has its location number.`, { cause: String(error) })
      })
      await tx.db
        .updateTable('account_properties')
        .set({
          status: 'active',
          divested_on: null,
          divested_reason: null,
          divested_note: null,
          version: sql`version + 1`,
          updated_at: tx.clock.now(),
        })
        .where('id', '=', id)
        .execute()
      await announce(tx, property, { class: 'restored', message: `{user} reactivated ${label}` })
    }
  })
}
