/** The measures of the grid, in px; its stylesheet repeats them. */
export const ROW_PX = 32
export const COLUMN_PX = 168
export const ROW_HEAD_PX = 76
export const HEAD_PX = 122
