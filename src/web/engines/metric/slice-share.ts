import { formatShare } from '#contract/format.ts'

const SMALLEST_SHOWN = 0.005
/** "<1%" instead of a share that would round to zero. */
export const formatSliceShare = (share: number): string => (share > 0 && share < SMALLEST_SHOWN ? '<1%' : formatShare(share))
