import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { savedViewCalls, type SavedView } from '#contract/saved-views.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import { showError } from '../show-error.ts'
import type { List } from './list.ts'
import { viewStateOf } from './saved-views.ts'

interface ViewDialogProps {
  list: List
  /** Null saves the list as it is now as a new view. */
  view: SavedView | null
  onOpen: (view: SavedView | null) => void
  onClose: () => void
}

/** The calls of the dialog; each of them ends with the stored views in the menu. */
function useViewChanges({ list: { model, state, layout }, view, onOpen, onClose }: ViewDialogProps) {
  const client = useQueryClient()
  const { queryKey } = queries.savedViews(model)
  const save = useMutation({
    mutationFn: ({ name, shared }: { name: string; shared: boolean }) =>
      view === null
        ? api(savedViewCalls.create, { body: { model, name, shared, state: viewStateOf(state, layout) } })
        : api(savedViewCalls.update, { params: { id: view.id }, body: { version: view.version, name, shared } }),
    onSuccess: ({ data, message }) => {
      client.setQueryData(queryKey, (views = []) => [...views.filter(({ id }) => id !== data.id), data])
      void client.invalidateQueries({ queryKey })
      if (view === null) onOpen(data)
      toast.success(message)
      onClose()
    },
    onError: (error) => {
      const fields = isApiError(error) ? Object.keys(firstMessages(error)) : []
      if (!fields.includes('name')) showError(error)
      void client.invalidateQueries({ queryKey })
    },
  })
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => api(savedViewCalls.remove, { params: { id } }),
    onSuccess: ({ message }) => {
      onOpen(null)
      toast.success(message)
      onClose()
    },
    onError: (error) => showError(error),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return { save, remove }
}

/** The name of a view, whether colleagues can use it, and its deletion. */
export function ViewDialog(props: ViewDialogProps) {
  useReturnedFocus()
  const { view, onClose } = props
  const { company } = useSession().auth_user
  const { save, remove } = useViewChanges(props)
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [missing, setMissing] = useState(false)
  const rejected = isApiError(save.error) ? firstMessages(save.error)['name'] : undefined
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() !== '') save.mutate({ name: name.trim(), shared })
  }
  return (
    <Modal opened onClose={onClose} title={view === null ? 'Save as a new view' : 'Change the view'} zIndex={300}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label="Name"
            data-autofocus
            required
            maxLength={60}
            value={name}
            error={missing ? 'Please enter a name.' : rejected}
            onChange={(event) => {
              setName(event.currentTarget.value)
              setMissing(false)
              save.reset()
            }}
          />
          <Checkbox
            label={`Share with everyone at ${company.name}`}
            description="They can use the view in lists that they can open. It shows them only what they can see."
            checked={shared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            {view !== null && <DeleteButton view={view} loading={remove.isPending} onDelete={() => remove.mutate(view)} />}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save view
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function DeleteButton({ view, loading, onDelete }: { view: SavedView; loading: boolean; onDelete: () => void }) {
  const { company } = useSession().auth_user
  const forOthers = view.shared ? ` Everyone at ${company.name} loses it.` : ''
  const question = {
    title: `Delete “${view.name}”`,
    message: `Are you sure you want to delete this view?${forOthers} This action cannot be undone.`,
    confirm: 'Delete',
  }
  const ask = async () => {
    if (await confirmDialog(question)) onDelete()
  }
  return (
    <Button variant="subtle" c="var(--critical)" mr="auto" loading={loading} onClick={() => void ask()}>
      Delete view
    </Button>
  )
}
