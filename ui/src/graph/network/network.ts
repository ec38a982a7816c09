// The server draws its pictures with the same network indexes.
export * from '../../../../picture/model/network.ts'
