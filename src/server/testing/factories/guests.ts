import type { DefaultRole } from '#contract/default-roles.ts'
import { DAY_MS } from '#contract/limits.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { newLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { addGuest, systemRole } from '#server/features/guests/guest-sessions.commands.ts'

interface InviteOptions {
  email?: string
  role?: DefaultRole
  expiresAt?: Date
}

let serial = 0

/** An invitation by the viewer of the context, with the user that its link signs in. */
export function makeInvite(ctx: Context, accountId: string, options: InviteOptions = {}) {
  serial += 1
  const { email = `guest${serial}@buyer.example`, role = 'invite_guest', expiresAt = new Date(Date.now() + 30 * DAY_MS) } = options
  return transact(ctx, async (tx) => {
    const { token, columns } = newLinkToken(tx.config.secretKey)
    const grant = await tx.db
      .insertInto('account_grants')
      .values({ ...columns, kind: 'invite', account_id: accountId, email, created_by: viewerId(tx.viewer), expires_at: expiresAt })
      .returning(['id', 'account_id', 'expires_at'])
      .executeTakeFirstOrThrow()
    const person = { kind: 'guest', email, firstName: email, lastName: '(guest)', roleId: await systemRole(tx, role) } as const
    return { id: grant.id, token, userId: await addGuest(tx, grant, person) }
  })
}
