import { LINK_MAX_DAYS, LINK_PASSWORD_MIN_CHARACTERS } from '#contract/guest-limits.ts'
import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import type { ShareLink, ShareLinkInput } from '#contract/sharing.ts'

/** What the form of a link holds. */
export interface LinkValues extends Pick<ShareLinkInput, 'label' | 'protection' | 'rights' | 'unlinked_files'> {
  /** Empty to keep the end of an existing link. */
  days: string
  endless: boolean
  /** Empty to keep that of an existing link. */
  password: string
  /** Separated by commas. */
  domains: string
  choosesProperties: boolean
  /** Titles by id. */
  properties: Readonly<Record<string, string>>
  choosesCategories: boolean
  categories: readonly DocumentCategoryCode[]
}

const DEFAULT_DAYS = '30'

export const valuesOf = (link: ShareLink | null): LinkValues => ({
  label: link?.label ?? '',
  days: link === null ? DEFAULT_DAYS : '',
  endless: link !== null && link.expires_at.date === null,
  protection: link?.protection ?? 'none',
  password: '',
  domains: link?.email_domains.join(', ') ?? '',
  rights: link?.rights ?? 'download',
  choosesProperties: link !== null && link.properties !== null,
  properties: Object.fromEntries((link?.properties ?? []).map(({ id, title }) => [id, title])),
  choosesCategories: link !== null && link.categories !== null,
  categories: link?.categories ?? [],
  unlinked_files: link?.unlinked_files ?? false,
})

const domainsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((domain) => domain !== '')

/** A change without `days` leaves the end as it is. */
export function bodyOf(values: LinkValues) {
  const { label, days, endless, protection, password, domains, rights, choosesProperties, choosesCategories } = values
  return {
    label: label.trim(),
    ...(endless ? { days: null } : days.trim() === '' ? {} : { days: Number(days) }),
    protection,
    ...(protection === 'password' && password !== '' ? { password } : {}),
    email_domains: protection === 'email_code' ? domainsOf(domains) : [],
    rights,
    property_ids: choosesProperties ? Object.keys(values.properties) : null,
    categories: choosesCategories ? [...values.categories] : null,
    unlinked_files: choosesProperties && values.unlinked_files,
  }
}

/** The messages of the fields that cannot be sent like this. */
export function errorsOf(values: LinkValues, link: ShareLink | null): Record<string, string> {
  const { label, days, endless, protection, password } = values
  const hasPassword = link?.protection === 'password'
  return {
    ...(label.trim() === '' ? { label: 'Please name the link, for example after its recipient.' } : {}),
    ...(endless || isDays(days, link) ? {} : { days: `Please enter a number of days from 1 to ${LINK_MAX_DAYS}.` }),
    ...(protection !== 'password' || password.length >= LINK_PASSWORD_MIN_CHARACTERS || (hasPassword && password === '')
      ? {}
      : { password: `Please use at least ${LINK_PASSWORD_MIN_CHARACTERS} characters.` }),
    ...(values.choosesProperties && Object.keys(values.properties).length === 0
      ? { property_ids: 'Please choose at least one property.' }
      : {}),
    ...(values.choosesCategories && values.categories.length === 0 ? { categories: 'Please choose at least one category.' } : {}),
  }
}

/** An existing link that ends keeps its end without a number. */
function isDays(days: string, link: ShareLink | null): boolean {
  if (days.trim() === '') return link !== null && link.expires_at.date !== null
  const number = Number(days)
  return Number.isInteger(number) && number >= 1 && number <= LINK_MAX_DAYS
}
