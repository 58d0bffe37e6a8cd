import { useSession } from './session.ts'

/** Whether the user came in by an invitation or a link, or sees an account as such a person does. */
export function useIsGuest(): boolean {
  const { via_invite: byInvite, via_share_link: byLink, via_preview: preview } = useSession().auth_user
  return byInvite || byLink || preview
}
