import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { formatBytes, formatDate, formatDateTime } from '#contract/format.ts'
import type { BodyIn } from '#contract/route.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { useUnsavedChanges } from '#web/engines/panel/route-panel.tsx'
import { Facts } from '#web/engines/panel/facts.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { FileFlags } from './file-cells.tsx'
import { CATEGORY_OPTIONS, categoryOf, changesOf, draftOf, type FileDraft, type FlagField } from './file-fields.ts'
import { PropertyPicker } from './property-picker.tsx'

/** The data of a document, as a form for users with permission to update it. */
export function FileForm({ file }: { file: AccountFile }) {
  const zone = useSession().auth_user.company.timezone
  const editable = useCan()('update_account_files') && file.accessible_features.update
  return (
    <Stack gap="md">
      {editable ? <EditableFile file={file} /> : <ReadOnlyFile file={file} zone={zone} />}
      <Facts
        facts={[
          { label: 'Original File Name', value: file.file.original_file_name },
          { label: 'Size', value: file.file.size === null ? null : formatBytes(file.file.size) },
          { label: 'Uploaded', value: formatDateTime(file.created_at, zone) },
          { label: 'Uploaded by', value: file.created_by?.full_name ?? null },
        ]}
      />
    </Stack>
  )
}

function ReadOnlyFile({ file, zone }: { file: AccountFile; zone: string }) {
  const addresses = file.properties.map((property) => property.full_address).join('; ')
  return (
    <Stack gap="sm">
      <Group gap={6}>
        <FileFlags file={file} />
      </Group>
      <Facts
        facts={[
          { label: 'Descriptive Name', value: file.vanity_name },
          { label: 'Category', value: DOCUMENT_CATEGORIES[categoryOf(file.category) ?? 'other'].label },
          { label: 'Report Date', value: file.report_author_date === null ? null : formatDate(file.report_author_date, zone) },
          { label: 'Properties', value: file.covers_all_properties ? 'All properties' : addresses },
        ]}
      />
    </Stack>
  )
}

function EditableFile({ file }: { file: AccountFile }) {
  const mayLink = useCan()('view_account_properties')
  const save = useSave(file)
  const form = useForm<FileDraft>({ initialValues: draftOf(file), onValuesChange: save.reset })
  const changes = changesOf(form.values, file)
  const changed = Object.keys(changes).length > 0
  useUnsavedChanges(changed)
  const errors = isApiError(save.error) ? firstMessages(save.error) : {}
  const field = (name: 'vanity_name' | 'report_author_date') => ({ ...form.getInputProps(name), size: 'sm', error: errors[name] })
  const flag = (name: FlagField) => form.getInputProps(name, { type: 'checkbox' })
  const { sov, covers_all_properties: coversAll } = form.values
  return (
    <form onSubmit={form.onSubmit(() => save.mutate({ ...changes, version: file.version }))}>
      <Stack gap="sm">
        <TextInput label="Descriptive Name" maxLength={255} {...field('vanity_name')} />
        <NativeSelect
          label="Category"
          data={CATEGORY_OPTIONS}
          value={form.values.category}
          onChange={({ currentTarget: { value } }) => {
            const category = categoryOf(value) ?? 'other'
            // The category decides whether it is a submission document; the checkbox below shows this and can be changed back.
            form.setValues({ category, sov: DOCUMENT_CATEGORIES[category].sov })
          }}
        />
        <TextInput label="Report Date" type="date" {...field('report_author_date')} />
        <Checkbox label="Private" description="Hidden from guests and carriers" {...flag('private')} />
        <Checkbox label="Submission Document" {...flag('sov')} />
        <Checkbox label="Provided by broker" description="Left out of the disclosed list" {...flag('provided_by_broker')} />
        {!sov && <Checkbox label="Covers all properties" {...flag('covers_all_properties')} />}
        {!sov && !coversAll && mayLink && (
          <PropertyPicker
            accountId={file.account_id}
            label="Properties"
            value={form.values.properties}
            onChange={(properties) => form.setValues({ properties })}
          />
        )}
        {save.isError && Object.keys(errors).length === 0 && <Notice kind="error">{messageOf(save.error)}</Notice>}
        <Button type="submit" disabled={!changed} loading={save.isPending}>
          Save changes
        </Button>
      </Stack>
    </form>
  )
}

/** Saves the changes. If another user changed the document meanwhile, nothing is overwritten: the newer document is shown. */
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
