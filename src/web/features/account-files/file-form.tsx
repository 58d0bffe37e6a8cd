import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES } from '#contract/document-categories.ts'
import type { BodyIn } from '#contract/route.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { useDirty } from '#web/engines/panel/route-panel.tsx'
import { toast } from '#web/ui/toast.tsx'
import { FileFacts, FileOrigin } from './file-facts.tsx'
import { changesOf, draftOf, type FileDraft } from './file-draft.ts'
import { PropertyPicker } from './property-picker.tsx'

/** What is known about a document, to be changed by those who may. */
export function FileForm({ file }: { file: AccountFile }) {
  const can = useCan()
  const editable = can('update_account_files') && file.accessible_features.update
  return (
    <Stack gap="md">
      {editable ? <EditableFile file={file} /> : <FileFacts file={file} />}
      <FileOrigin file={file} />
    </Stack>
  )
}

function EditableFile({ file }: { file: AccountFile }) {
  const mayLink = useCan()('view_account_properties')
  const [draft, setDraft] = useState<FileDraft>(() => draftOf(file))
  const changes = changesOf(draft, file)
  const changed = Object.keys(changes).length > 0
  useDirty(changed)
  const save = useSave(file)
  const errors = isApiError(save.error) ? firstMessages(save.error) : {}
  const set = (change: Partial<FileDraft>) => {
    save.reset()
    setDraft((current) => ({ ...current, ...change }))
  }
  // The category decides whether it is a submission document; the tick beneath shows it and may be changed back.
  const setCategory = (value: string) => {
    const category = DOCUMENT_CATEGORY_CODES.find((code) => code === value)
    if (category) set({ category, sov: DOCUMENT_CATEGORIES[category].sov })
  }
  const errorOf = (field: string) => errors[field] ?? null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ ...changes, version: file.version })
      }}
    >
      <Stack gap="sm">
        <TextInput
          size="sm"
          label="Descriptive Name"
          maxLength={255}
          value={draft.vanity_name}
          error={errorOf('vanity_name')}
          onChange={(event) => set({ vanity_name: event.currentTarget.value })}
        />
        <NativeSelect
          label="Category"
          value={draft.category}
          onChange={(event) => setCategory(event.currentTarget.value)}
          data={DOCUMENT_CATEGORY_CODES.map((code) => ({ value: code, label: DOCUMENT_CATEGORIES[code].label }))}
        />
        <TextInput
          size="sm"
          label="Report Date"
          type="date"
          value={draft.report_author_date}
          error={errorOf('report_author_date')}
          onChange={(event) => set({ report_author_date: event.currentTarget.value })}
        />
        <Checkbox
          label="Private"
          description="Hidden from guests and carriers"
          checked={draft.private}
          onChange={(event) => set({ private: event.currentTarget.checked })}
        />
        <Checkbox label="Submission Document" checked={draft.sov} onChange={(event) => set({ sov: event.currentTarget.checked })} />
        <Checkbox
          label="Provided by broker"
          description="Left out of the disclosed list"
          checked={draft.provided_by_broker}
          onChange={(event) => set({ provided_by_broker: event.currentTarget.checked })}
        />
        {!draft.sov && (
          <>
            <Checkbox
              label="Covers all properties"
              checked={draft.covers_all_properties}
              onChange={(event) => set({ covers_all_properties: event.currentTarget.checked })}
            />
            {!draft.covers_all_properties && mayLink && (
              <PropertyPicker
                accountId={file.account_id}
                label="Properties"
                value={draft.properties}
                onChange={(properties) => set({ properties })}
              />
            )}
          </>
        )}
        {save.isError && Object.keys(errors).length === 0 && (
          <Text size="sm" c="var(--critical)" role="alert">
            {messageOf(save.error)}
          </Text>
        )}
        <Button type="submit" disabled={!changed} loading={save.isPending}>
          Save changes
        </Button>
      </Stack>
    </form>
  )
}

/** Saves what changed. Somebody else's change in between is not overwritten: the newer document is shown, and the message says so. */
function useSave(file: AccountFile) {
  return useMutation({
    mutationFn: (body: BodyIn<typeof fileCalls.patch>) => api(fileCalls.patch, { params: { id: file.account_id, file_id: file.id }, body }),
    onSuccess: ({ message }) => {
      toast.success(message)
      invalidateAfterWrite('account_files', file.id, file.account_id)
      invalidateAfterWrite('account_properties', null, file.account_id)
    },
    onError: (error) => {
      if (!isApiError(error) || error.kind !== 'conflict') return
      toast.warning(error.message)
      invalidateAfterWrite('account_files', file.id, file.account_id)
    },
  })
}
