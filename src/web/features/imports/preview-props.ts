import type { Import, ImportTab } from '#contract/imports.ts'
import type { Patch } from './use-import.ts'

export interface PreviewProps {
  data: Import
  tab: ImportTab
  editable: boolean
  /** Properties that stay although the file no longer lists them. */
  spared: ReadonlySet<string>
  onTab: (tab: ImportTab) => void
  onSpare: (propertyId: string, spared: boolean) => void
  onPatch: (patch: Patch) => void
  onShowRow: (row: number) => void
}
