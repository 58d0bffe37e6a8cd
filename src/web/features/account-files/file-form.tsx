import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AccountFile } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { formatBytes, formatDate, plural } from '#contract/format.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { NO_LONGER_ALLOWED, useCan, useIsGuest, useSession } from '#web/data/session.ts'
import { FlagSection } from '#web/engines/flags/flag-section.tsx'
import { useUnsavedChanges } from '#web/engines/panel/route-panel.tsx'
import { Facts } from '#web/engines/panel/facts.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ageText } from './file-age.tsx'
import { FileFlags } from './file-cells.tsx'
import { CATEGORY_OPTIONS, DRAFT_LABELS, categoryOf, draftText, privateText, type FlagField } from './file-fields.ts'
import { describeText } from './describe-text.ts'
import { PropertyPicker } from './property-picker.tsx'
import { useFileEdit, type FileEdit } from './use-file-edit.ts'

/** The data of a document, as a form for users with permission to update it. */
export function FileForm({ file }: { file: AccountFile }) {
  const zone = useSession().auth_user.company.timezone
  const editable = useCan()('update_account_files') && file.accessible_features.update
  const isGuest = useIsGuest()
  const age = ageText(file)
  // The version that the user is changing; after that only a save brings a newer one.
  const [edited, setEdited] = useState<AccountFile | null>(null)
  const shown = edited ?? file
  return (
    <Stack gap="md">
      {editable || edited !== null ? (
        <FileFields
          key={shown.version}
          file={shown}
          zone={zone}
          withdrawn={!editable}
          onDirty={(dirty) => setEdited(dirty ? shown : null)}
        />
      ) : (
        <ReadOnlyFile file={file} zone={zone} />
      )}
      <Facts
        facts={[
          { label: 'Original File Name', value: file.file.original_file_name },
          ...(file.folder === null ? [] : [{ label: 'Folder', value: file.folder }]),
          ...(isGuest && age === null ? [] : [{ label: 'Age', value: age }]),
          { label: 'Size', value: file.file.size === null ? null : formatBytes(file.file.size) },
          { label: 'Uploaded', value: <DateText iso={file.created_at} zone={zone} /> },
          ...(isGuest && file.created_by === null ? [] : [{ label: 'Uploaded by', value: file.created_by?.full_name ?? null }]),
          ...(isGuest || file.text === null ? [] : [{ label: 'Text for search', value: describeText(file.text) }]),
        ]}
      />
      <FlagSection record={{ account_id: file.account_id, type: 'account_file', id: file.id }} />
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

interface FileFieldsProps {
  file: AccountFile
  zone: string
  /** The user has lost the permission while they were changing something. */
  withdrawn: boolean
  onDirty: (dirty: boolean) => void
}

function FileFields({ file, zone, withdrawn, onDirty }: FileFieldsProps) {
  const mayLink = useCan()('view_account_properties')
  const mayHide = useQuery(queries.account(file.account_id)).data?.accessible_features.make_private
  const { provider } = useSession().config
  const edit = useFileEdit(file, onDirty)
  const { form, changed, save, conflict } = edit
  useUnsavedChanges(changed, save.isPending)
  const errors = isApiError(save.error) ? firstMessages(save.error) : {}
  const isConflict = isApiError(save.error) && save.error.kind === 'conflict' && conflict !== null
  const field = (name: 'vanity_name' | 'report_author_date') => ({ ...form.getInputProps(name), size: 'sm', error: errors[name] })
  const flag = (name: FlagField) => ({ ...form.getInputProps(name, { type: 'checkbox' }), label: DRAFT_LABELS[name] })
  const { sov, covers_all_properties: coversAll } = form.values
  const undecided = (conflict?.disputed.length ?? 0) > 0
  return (
    <form onSubmit={form.onSubmit(() => save.mutate())}>
      <Stack gap="sm">
        <Disputes edit={edit} zone={zone} />
        <TextInput label={DRAFT_LABELS.vanity_name} maxLength={255} {...field('vanity_name')} />
        <NativeSelect
          label={DRAFT_LABELS.category}
          data={CATEGORY_OPTIONS}
          value={form.values.category}
          onChange={({ currentTarget: { value } }) => {
            const category = categoryOf(value) ?? 'other'
            // The category decides whether it is a submission document; the checkbox below shows this and can be changed back.
            form.setValues({ category, sov: DOCUMENT_CATEGORIES[category].sov })
          }}
        />
        <TextInput label={DRAFT_LABELS.report_author_date} type="date" {...field('report_author_date')} />
        {mayHide && <Checkbox description={privateText(provider)} {...flag('private')} />}
        <Checkbox {...flag('sov')} />
        <Checkbox description="Shown as “Broker” in the list" {...flag('provided_by_broker')} />
        {!sov && <Checkbox {...flag('covers_all_properties')} />}
        {!sov && !coversAll && mayLink && (
          <PropertyPicker
            accountId={file.account_id}
            label={DRAFT_LABELS.properties}
            value={form.values.properties}
            onChange={(properties) => form.setValues({ properties })}
          />
        )}
        {save.isError && !isConflict && Object.keys(errors).length === 0 && <Notice kind="error">{messageOf(save.error)}</Notice>}
        {withdrawn && <Notice kind="warning">{NO_LONGER_ALLOWED}</Notice>}
        <Button type="submit" disabled={!changed || undecided || withdrawn} loading={save.isPending}>
          Save changes
        </Button>
      </Stack>
    </form>
  )
}

/** Names the user who saved the document meanwhile, and lets this user choose between the values that both changed. */
function Disputes({ edit: { form, conflict, decide }, zone }: { edit: FileEdit; zone: string }) {
  const element = useRef<HTMLDivElement>(null)
  const saved = conflict?.saved
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'center' })
    element.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [saved])
  if (conflict === null) return null
  const { savedBy, disputed } = conflict
  return (
    <div ref={element}>
      <Notice kind="warning">
        {savedBy} changed this document while you were editing.{' '}
        {disputed.length === 0 ? 'Check the values and save again.' : `Choose a value for ${plural(disputed.length, 'field')}.`}
        {disputed.map((name) => (
          <Group key={name} gap={8} mt={8} role="group" aria-label={DRAFT_LABELS[name]}>
            <span>
              {DRAFT_LABELS[name]}: {savedBy} saved <strong>{draftText(name, conflict.saved, zone)}</strong>; you entered{' '}
              <strong>{draftText(name, form.values, zone)}</strong>.
            </span>
            <Button size="compact-sm" variant="default" onClick={() => decide(name, 'mine')}>
              Keep mine
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => decide(name, 'theirs')}>
              Take theirs
            </Button>
          </Group>
        ))}
      </Notice>
    </div>
  )
}
