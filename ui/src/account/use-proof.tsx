import { useState } from 'react'
import { useAccount } from './account.ts'
import { type Proof, ProofFields } from './password-proof.tsx'
import { usePasswordProof } from './provider.ts'

/**
 * The fields in which users prove who they are, in a form for something that takes it, and the proof. Both are missing where `isNeeded`
 * is false, and for users who have signed in with the identity provider.
 */
export function useProof({ isNeeded = true, label }: { isNeeded?: boolean; label?: string } = {}) {
  const { secondFactor } = useAccount()
  const asksPassword = usePasswordProof()
  const [proof, setProof] = useState<Proof>({ password: '' })
  if (!asksPassword || !isNeeded) return { proof: undefined, fields: null }
  const fields = (
    <ProofFields proof={proof} onChange={setProof} withCode={secondFactor} {...(label !== undefined && { label })} />
  )
  return { proof, fields }
}
