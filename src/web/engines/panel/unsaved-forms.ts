import { createStore, useStore } from '#web/ui/store.ts'

/** The number of forms on the page with unsaved changes. */
export const unsavedForms = createStore(0)

/** Whether leaving the page would lose what the user has entered. */
export const useHasUnsavedChanges = (): boolean => useStore(unsavedForms) > 0
