/** Whether headings whose words may mean something else are the state of the rows below them. */
export const HEADING_DECISIONS = ['use', 'ignore'] as const
export type HeadingDecision = (typeof HEADING_DECISIONS)[number]
