import { DAY_MS, HOUR_MS, MINUTE_MS } from './limits.ts'

/** Limits and periods of invitations and links, with their units in their names. */

/** How long an invitation lives, and by how much it is extended. */
export const INVITE_DAYS = 30
/** Before the end of an invitation, its sender is notified. */
export const INVITE_WARNING_MS = 3 * DAY_MS
/** How long people outside stay in without the link; never longer than their invitation or link lives. */
export const INVITE_SESSION_MS = 30 * DAY_MS
export const SHARE_SESSION_MS = 12 * HOUR_MS
export const PREVIEW_SESSION_MS = 30 * MINUTE_MS
/** By one user. */
export const INVITES_PER_HOUR = 100
export const INVITE_MAILS_PER_HOUR = 200
/** Of one invitation. */
export const MAILS_PER_INVITE_AND_HOUR = 5
/** Wrong invitations and links from one network, in WRONG_LINKS_WINDOW_MS; a right one always passes. */
export const WRONG_LINKS_PER_NETWORK = 30
export const WRONG_LINKS_WINDOW_MS = 10 * MINUTE_MS
/** Sessions that one network opens by links in that time. */
export const LINK_SESSIONS_PER_NETWORK = 60
/** Wrong passwords of one link from one network. */
export const LINK_PASSWORD_FAILURES = 10
export const LINK_PASSWORD_WINDOW_MS = 15 * MINUTE_MS
/** Wrong passwords of one link in that time, from all networks from which it was never opened. */
export const LINK_PASSWORD_FAILURES_IN_ALL = 15
/** The same with the first attempts of networks, for which the others are reserved: each has one, so that strangers shut no person out. */
export const LINK_PASSWORD_FIRST_FAILURES_IN_ALL = 75
export const LINK_PASSWORD_MIN_CHARACTERS = 8
export const LINK_LABEL_MAX_CHARACTERS = 60
export const LINK_MAX_DAYS = 366
export const LINK_DOMAINS_MAX = 20
/** Properties that are chosen for one link. */
export const LINK_PROPERTIES_MAX = 1_000
/** Of one account. */
export const LINKS_MAX = 200
/** Codes that are mailed for one link to one email, requested from one network and from all, in LINK_CODE_WINDOW_MS. */
export const LINK_CODES_PER_NETWORK = 3
export const LINK_CODES_IN_ALL = 6
/** The same with the first codes of networks, for which the others are reserved. */
export const LINK_FIRST_CODES_IN_ALL = 20
export const LINK_CODE_WINDOW_MS = 15 * MINUTE_MS
export const LINK_CODE_LIFE_MS = 10 * MINUTE_MS
export const LINK_CODE_ATTEMPTS = 5
/** Wrong codes of all links from one network in that time. */
export const LINK_CODE_FAILURES = 20
/** An account that is opened again after this time is another visit. */
export const VISIT_GAP_MS = 30 * MINUTE_MS
