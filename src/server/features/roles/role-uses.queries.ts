import { sql } from 'kysely'
import { isLiveGrant } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'

interface RoleUse {
  label: string
  by: 'user' | 'invitation' | 'trashed_account'
}

/**
 * What could give one of these roles back to a person: a user, who can be restored from the trash, or an invitation that has not ended.
 * Undefined without any. People of an account in the trash are looked for, too, because a restored account has its invitations again.
 */
export async function roleUse({ db }: Context, roleIds: readonly string[]): Promise<RoleUse | undefined> {
  const { rows } = await sql<RoleUse>`SELECT roles.label, CASE WHEN u.kind = 'member' THEN 'user'
      WHEN a.deleted_at IS NULL THEN 'invitation' ELSE 'trashed_account' END AS by
    FROM roles JOIN user_roles x ON x.role_id = roles.id JOIN users u ON u.id = x.user_id
      LEFT JOIN account_grants g ON g.id = u.grant_id AND g.kind = 'invite' LEFT JOIN accounts a ON a.id = g.account_id
    WHERE roles.id = ANY(${`{${roleIds.join(',')}}`}::uuid[])
      AND (u.kind = 'member' OR (a.id IS NOT NULL AND ${isLiveGrant} AND (u.deleted_at IS NULL OR a.deleted_at IS NOT NULL)))
    ORDER BY u.kind = 'member' DESC, a.deleted_at IS NOT NULL LIMIT 1`.execute(db)
  return rows[0]
}

/** Why a role cannot be deleted while it has this use, and what to do first. */
export const textOfUse = ({ label, by }: RoleUse): string =>
  ({
    user: `A user in the trash has the role ${label}. Permanently delete the user, or restore the user and give them another role.`,
    invitation: `A live invitation has the role ${label}. Revoke it first, or delete the role once the invitation has expired.`,
    trashed_account: `A live invitation to an account in the trash has the role ${label}. Permanently delete the account, or restore it and revoke the invitation.`,
  })[by]
