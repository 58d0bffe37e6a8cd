import { ARCHIVE_NEEDS, type ArchiveSource } from '#contract/account-files.ts'
import type { PermissionName } from '#contract/permissions.ts'
import type { Tab } from '#web/engines/account/account-tab.ts'

export interface TourStep {
  /** The value of `data-tour` of the element that the step is about. */
  target: string
  title: string
  text: string
  /** The tab that opens with the step. */
  tab?: Tab
}

interface PossibleStep extends TourStep {
  isShown: (can: (name: PermissionName) => boolean) => boolean
  /** Also while the documents of a managed account are being collected, when there is no other tab. */
  whileCollecting?: true
}

const DOWNLOADS: readonly [PermissionName, ArchiveSource][] = [
  ['view_download_document_list_button', 'document-list'],
  ['view_download_property_list_button', 'property-list'],
  ['view_download_all_files_button', 'downloadall'],
]

const STEPS: readonly PossibleStep[] = [
  {
    target: 'downloads',
    title: 'Take everything with you',
    text: 'Download all documents in folders by property, the list of properties, or the list of documents.',
    isShown: (can) => DOWNLOADS.some(([button, source]) => can(button) && ARCHIVE_NEEDS[source].every((name) => can(name))),
  },
  {
    target: 'overview',
    tab: 'overview',
    title: 'Read the overview',
    text: 'How many properties, what they are worth, where they are and of which type.',
    isShown: () => true,
  },
  {
    target: 'discrepancies',
    tab: 'overview',
    title: 'See what does not agree',
    text: 'Differences between the values and the documents, the most important first. A line opens exactly the properties it counts.',
    isShown: (can) => can('view_account_reconciliation_metric'),
  },
  {
    target: 'properties',
    tab: 'properties',
    title: 'Look at the properties',
    text: 'All properties with addresses, values and construction. Search, sort and filter them, and open one for its details.',
    isShown: (can) => can('view_account_properties'),
  },
  {
    target: 'files',
    tab: 'files',
    title: 'Open the documents',
    text: 'Appraisals, reports and photographs. Open one here without downloading it.',
    isShown: (can) => can('view_account_files'),
    whileCollecting: true,
  },
  {
    target: 'notifications',
    title: 'Stay informed',
    text: 'What is new on your accounts.',
    isShown: () => true,
    whileCollecting: true,
  },
  {
    target: 'chat',
    title: 'Ask us',
    text: 'Write to us when something is unclear or missing.',
    isShown: () => true,
    whileCollecting: true,
  },
]

interface Viewer {
  can: (name: PermissionName) => boolean
  /** Guests have no bell. */
  hasBell: boolean
  hasChat: boolean
  /** The page of the account shows what does not agree. */
  hasDiscrepancies: boolean
  collecting: boolean
}

/** The steps of the tour for this user, in order. */
export function tourSteps({ can, hasBell, hasChat, hasDiscrepancies, collecting }: Viewer): readonly TourStep[] {
  const without = [hasBell ? '' : 'notifications', hasChat ? '' : 'chat', hasDiscrepancies ? '' : 'discrepancies']
  return STEPS.filter(
    ({ target, isShown, whileCollecting }) => isShown(can) && !without.includes(target) && (!collecting || whileCollecting === true),
  )
}
