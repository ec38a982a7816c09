import { useState } from 'react'
import { useAccount } from './account.ts'
import { type Proof, ProofFields } from './password-proof.tsx'
import { usePasswordProof } from './provider.ts'

/**
 * Returns the fields for proving the user's identity, for use in another form, and the proof. Returns neither if `isNeeded` is
 * false or the user signed in with the identity provider.
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
