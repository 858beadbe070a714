import { SecretDialog } from '../../../../platform/web/kit/SecretDialog.tsx'

interface NewSecretDialogProps {
  url: string
  secret: string
  onClose: () => void
}

/** Shows the secret of a webhook. */
export const NewSecretDialog = ({ url, secret, onClose }: NewSecretDialogProps) => (
  <SecretDialog title="The Secret of Your Webhook" noun="Secret" secret={secret} onClose={onClose}>
    Copy it now and give it to the program at {url}, which verifies with it that messages come from here.
  </SecretDialog>
)
