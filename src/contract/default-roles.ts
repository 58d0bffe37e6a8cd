export const DEFAULT_ROLE_NAMES = [
  'admin',
  'provider',
  'broker',
  'client',
  'carrier',
  'upload_only',
  'invite_guest',
  'share_guest',
] as const
export type DefaultRole = (typeof DEFAULT_ROLE_NAMES)[number]

export const DEFAULT_ROLE_LABELS: Readonly<Record<DefaultRole, string>> = {
  admin: 'Administrator',
  provider: 'Provider staff',
  broker: 'Broker',
  client: 'Client',
  carrier: 'Carrier',
  upload_only: 'Upload only',
  invite_guest: 'Invited viewer',
  share_guest: 'Share-link visitor',
}
export const UPLOAD_ONLY_ROLE = 'upload_only'

/** Whether a user with these roles only uploads documents. A role of another name with the same permissions is not meant. */
export const onlyUploads = (roles: readonly { name: string }[]): boolean =>
  roles.length > 0 && roles.every(({ name }) => name === UPLOAD_ONLY_ROLE)

/** Whether one of these roles is that of people who upload documents. */
export const carriesUploadOnly = (roles: readonly { name: string }[]): boolean => roles.some(({ name }) => name === UPLOAD_ONLY_ROLE)

type MarksFor<Roles> = Roles extends readonly [unknown, ...infer Rest] ? `${'x' | '.'}${MarksFor<Rest>}` : ''
/** One mark for each default role, in the order of DEFAULT_ROLE_NAMES: x has the permission. Another length or letter does not compile. */
export type RoleMarks = MarksFor<typeof DEFAULT_ROLE_NAMES>
