import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import { isApiError, messageOf, needsSso } from '#web/data/errors.ts'
import { PasskeyCanceled, canUsePasskeys, signInWithPasskey } from '#web/data/passkeys.ts'
import { toast } from '#web/ui/toast.tsx'

interface PasskeyButtonProps {
  remember: boolean
  onSignedIn: () => void
  /** The page for users whose company allows only single sign-on. */
  ssoPath: string
}

/** Signs in with a passkey that the user chooses in the dialog of the browser. Absent in browsers without passkeys. */
export function PasskeyButton({ remember, onSignedIn, ssoPath }: PasskeyButtonProps) {
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: () => signInWithPasskey(remember),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error instanceof PasskeyCanceled || (isApiError(error) && error.kind === 'throttled')) return
      toast.warning(
        messageOf(error),
        needsSso(error) ? { action: { label: 'Single sign-on', onClick: () => void navigate({ to: ssoPath }) } } : {},
      )
    },
  })
  if (!canUsePasskeys()) return null
  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      leftSection={<IconFingerprint size={18} stroke={1.6} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Sign in with a passkey
    </Button>
  )
}
