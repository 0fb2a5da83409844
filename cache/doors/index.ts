// How clients come in: listeners that make one unambiguous request of what arrives, or refuse it, and write the answer
// that they are given. What is answered is not known here. A door is an accelerator for origins it is told of, a proxy
// for whoever may use it, or both on one port; beside requests it passes on tunnels and upgraded connections.
export { type DoorLimits, defaultDoorLimits } from './door-limits.ts';
export { type AcceleratedHosts, type HttpDoor, type HttpDoorOptions, openHttpDoor } from './http-door.ts';
