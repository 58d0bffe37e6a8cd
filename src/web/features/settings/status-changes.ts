/** The key of the mutations of statuses, by which the page knows that one is being saved. */
export const STATUS_CHANGES = ['statuses', 'save'] as const
