import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { api } from '#web/data/client.ts'
import { changedBy, isApiError } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { changesOf, draftOf, mergeDrafts, type FileDraft } from './file-fields.ts'

type DraftName = keyof FileDraft

/** What another user saved while this one was editing. */
interface Conflict {
  savedBy: string
  saved: FileDraft
  /** Values that both users changed, until this one has decided. */
  disputed: readonly DraftName[]
}

/** The edit of a document, which continues when another user saves it: their values and the changes of this user are merged. */
export function useFileEdit(file: AccountFile, onDirty: (dirty: boolean) => void) {
  /** The document that the changes are compared with. */
  const [base, setBase] = useState(file)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const onValuesChange = (values: FileDraft) => {
    save.reset()
    onDirty(Object.keys(changesOf(values, base)).length > 0)
  }
  const form = useForm<FileDraft>({ initialValues: draftOf(file), onValuesChange })
  const changes = changesOf(form.values, base)
  const changed = Object.keys(changes).length > 0
  const save = useMutation({
    mutationFn: () =>
      api(fileCalls.patch, { params: { id: file.account_id, file_id: file.id }, body: { ...changes, version: base.version } }),
    onSuccess: ({ data, message }) => {
      toast.success(message)
      setBase(data)
      setConflict(null)
      form.setValues(draftOf(data))
      onDirty(false)
      invalidateAfterWrite('account_files', file.id, file.account_id)
      invalidateAfterWrite('account_properties', null, file.account_id)
    },
    onError: async (error) => {
      if (!isApiError(error) || error.kind !== 'conflict') return
      const { data } = await api(fileCalls.details, { params: { id: file.account_id, file_id: file.id }, query: {} })
      const saved = draftOf(data)
      const { values, disputed } = mergeDrafts(draftOf(base), form.getValues(), saved)
      setBase(data)
      form.setValues(values)
      setConflict({ savedBy: changedBy(error), saved, disputed })
    },
  })
  const decide = (name: DraftName, take: 'mine' | 'theirs') => {
    if (conflict === null) return
    if (take === 'theirs') form.setValues({ [name]: conflict.saved[name] })
    setConflict({ ...conflict, disputed: conflict.disputed.filter((other) => other !== name) })
  }
  return { form, changed, save, conflict, decide }
}

export type FileEdit = ReturnType<typeof useFileEdit>
