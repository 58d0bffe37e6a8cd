import { z } from 'zod'
import { codesOf } from './code-lists.ts'
import { DOCUMENT_CATEGORY_CODES } from './document-categories.ts'
import { plural } from './format.ts'
import { Deadline, GuestTokens, LINK_RIGHTS } from './guests.ts'
import {
  LINK_DOMAINS_MAX,
  LINK_LABEL_MAX_CHARACTERS,
  LINK_MAX_DAYS,
  LINK_PASSWORD_MIN_CHARACTERS,
  LINK_PROPERTIES_MAX,
} from './guest-limits.ts'
import { Id, call, json, jsonWith, text } from './route.ts'

/** How a named link makes sure who opens it. */
export const LINK_PROTECTIONS = {
  none: 'Anyone with the link',
  password: 'A password',
  email_code: 'A code sent to their email',
} as const

const ScopeProperty = z.object({ id: Id, title: z.string() })

export const ShareLink = z.object({
  id: Id,
  label: z.string(),
  link: z.string(),
  protection: z.enum(codesOf(LINK_PROTECTIONS)),
  email_domains: z.array(z.string()),
  rights: z.enum(codesOf(LINK_RIGHTS)),
  /** The chosen properties that are not in the trash; null for all. */
  properties: z.array(ScopeProperty).nullable(),
  categories: z.array(z.enum(DOCUMENT_CATEGORY_CODES)).nullable(),
  unlinked_files: z.boolean(),
  status: z.enum(['Active', 'Expired']),
  expires_at: Deadline,
  created_by: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type ShareLink = z.output<typeof ShareLink>

const Domain = text(253)
  .toLowerCase()
  .refine((value) => /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(value), 'Please enter a domain such as example.com.')

const linkFields = {
  label: text(LINK_LABEL_MAX_CHARACTERS).min(1, 'Please name the link, for example after its recipient.'),
  /** In days from now; null for a link without an end. */
  days: z.number().int().min(1).max(LINK_MAX_DAYS, `Please choose at most ${LINK_MAX_DAYS} days.`).nullable(),
  protection: z.enum(codesOf(LINK_PROTECTIONS)),
  /** Needed for a new link with a password; null or absent keeps that of an existing one. */
  password: z
    .string()
    .min(LINK_PASSWORD_MIN_CHARACTERS, `Please use at least ${LINK_PASSWORD_MIN_CHARACTERS} characters.`)
    .max(128, 'Please use at most 128 characters.')
    .nullish(),
  email_domains: z.array(Domain).max(LINK_DOMAINS_MAX, `Please enter at most ${LINK_DOMAINS_MAX} domains.`),
  rights: z.enum(codesOf(LINK_RIGHTS)),
  /** Null: all properties, also those that are added later. */
  property_ids: z
    .array(Id)
    .min(1, 'Please choose at least one property.')
    .max(LINK_PROPERTIES_MAX, `Please choose at most ${LINK_PROPERTIES_MAX} properties.`)
    .nullable(),
  /** Null: documents of all categories. */
  categories: z.array(z.enum(DOCUMENT_CATEGORY_CODES)).min(1, 'Please choose at least one category.').nullable(),
  /** With chosen properties: also the documents that are linked to no property. */
  unlinked_files: z.boolean(),
}

export const ShareLinkInput = z.strictObject({
  ...linkFields,
  days: linkFields.days.default(30),
  protection: linkFields.protection.default('none'),
  email_domains: linkFields.email_domains.default([]),
  rights: linkFields.rights.default('download'),
  property_ids: linkFields.property_ids.default(null),
  categories: linkFields.categories.default(null),
  unlinked_files: linkFields.unlinked_files.default(false),
})
export type ShareLinkInput = z.output<typeof ShareLinkInput>

/** Absent fields stay as they are, so they have no defaults. */
const ShareLinkUpdate = z.strictObject(linkFields).partial()

/** How many properties and categories a link shows; null for all. */
const ScopeCounts = z.object({ properties: z.number().nullable(), categories: z.number().nullable() })

/** "3 properties, 2 categories" */
export const scopeText = ({ properties, categories }: z.output<typeof ScopeCounts>): string =>
  properties === null && categories === null
    ? 'Everything'
    : [
        properties === null ? 'All properties' : plural(properties, 'property', 'properties'),
        categories === null ? 'all categories' : plural(categories, 'category', 'categories'),
      ].join(', ')

/** A live way into an account of the company. */
const LiveGrant = z.object({
  id: Id,
  kind: z.enum(['invite', 'default_link', 'link']),
  name: z.string(),
  account_id: Id,
  account_name: z.string(),
  rights: z.string(),
  /** Who was invited to upload sees only the own documents. */
  own_uploads: z.boolean(),
  scope: ScopeCounts,
  sponsor: z.string(),
  expires_at: Deadline,
  last_used_at: z.string().nullable(),
})
export type LiveGrant = z.output<typeof LiveGrant>

export const VISIT_STATES = { not_opened: 'Not opened yet', opened: 'Opened' } as const

/** What the people of one invitation or link have seen. */
const GrantVisits = z.object({
  id: Id,
  kind: z.enum(['invite', 'default_link', 'link']),
  name: z.string(),
  state: z.enum(codesOf(VISIT_STATES)),
  opened: z.number(),
  viewed: z.number(),
  downloaded: z.number(),
  first_at: z.string().nullable(),
  last_at: z.string().nullable(),
  /** When it was revoked or replaced, or expired; null while it works. */
  ended_at: z.string().nullable(),
  /** Properties and documents that changed since the last visit and that they would see; null before the first visit and after the end. */
  changed_since: z.number().nullable(),
})
export type GrantVisits = z.output<typeof GrantVisits>

const Visit = z.object({
  id: Id,
  at: z.string(),
  what: z.enum(['opened', 'viewed', 'downloaded']),
  item: z.string().nullable(),
  person: z.string(),
  address: z.string(),
})
export type Visit = z.output<typeof Visit>

export const sharingCalls = {
  refresh: call('POST', '/accounts/:id/refresh-share-token', 'update_account_sharing', 'Replace the share link of an account', {
    output: json(z.object({ share_link: z.string() })),
  }),
  /** Uses nothing up. What a protected link still needs is in `needs`. */
  redeem: call('POST', '/accounts/:id/share', 'public', 'Open an account by its share link', {
    knowsViewer: true,
    body: z.strictObject({
      share_token: text(100),
      password: z.string().max(128).nullish(),
      email: z.string().trim().max(254).nullish(),
      code: z.string().trim().max(10).nullish(),
    }),
    output: jsonWith(z.object({ account_id: Id, needs: z.enum(['password', 'email', 'code']).nullable() }), GuestTokens),
  }),
  links: call('GET', '/accounts/:id/links', 'update_account_sharing', 'The named links of an account', {
    output: json(z.array(ShareLink)),
  }),
  createLink: call('POST', '/accounts/:id/links', 'update_account_sharing', 'Create a named link', {
    body: ShareLinkInput,
    output: json(ShareLink),
  }),
  updateLink: call('PUT', '/accounts/:id/links/:link_id', 'update_account_sharing', 'Change a named link', {
    body: ShareLinkUpdate,
    output: json(ShareLink),
  }),
  removeLink: call('DELETE', '/accounts/:id/links/:link_id', 'update_account_sharing', 'Revoke a named link', { output: json(z.null()) }),
  rotateLink: call('POST', '/accounts/:id/links/:link_id/rotate', 'update_account_sharing', 'Replace a named link', {
    output: json(ShareLink),
  }),
  revokeAll: call('POST', '/accounts/:id/revoke-access', 'update_account_sharing', 'End all links and invitations of an account', {
    output: json(z.object({ links: z.number(), invitations: z.number() })),
  }),
  grants: call('GET', '/grants', 'update_account_sharing', 'All live links and invitations of your company', {
    query: z.object({ search: text(100).optional() }),
    output: jsonWith(z.array(LiveGrant), z.object({ total: z.number() })),
  }),
  visits: call('GET', '/accounts/:id/visits', 'update_account_sharing', 'Who saw what of an account', {
    output: json(z.array(GrantVisits)),
  }),
  visitsOf: call('GET', '/accounts/:id/visits/:grant_id', 'update_account_sharing', 'What the people of one link or invitation saw', {
    output: jsonWith(z.array(Visit), z.object({ total: z.number() })),
  }),
  exportVisits: call('GET', '/accounts/:id/visits.csv', 'update_account_sharing', 'Download who saw what of an account', {
    output: { kind: 'blob', contentType: 'text/csv' } as const,
  }),
}
