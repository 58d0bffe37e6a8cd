import type { Import, ImportTab } from '#contract/imports.ts'
import type { Patch } from './use-import.ts'
import type { Ticks } from './use-ticks.ts'

export interface PreviewProps {
  data: Import
  tab: ImportTab
  editable: boolean
  /** Which of the proposed removals are carried out. */
  ticks: Ticks
  onTab: (tab: ImportTab) => void
  onPatch: (patch: Patch) => void
  onShowRow: (row: number) => void
}
