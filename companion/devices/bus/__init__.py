"""The bus between the table and the services around it: messages over a Unix socket or an MQTT broker.

May import config, messages, findings and below. Enter at `connect.serve` and `connect.join`.
"""

from companion.devices.bus.address import Address as Address
from companion.devices.bus.address import BrokerAddress as BrokerAddress
from companion.devices.bus.address import SocketAddress as SocketAddress
from companion.devices.bus.address import find_address as find_address
from companion.devices.bus.address import parse_address as parse_address
from companion.devices.bus.connect import join as join
from companion.devices.bus.connect import reachable as reachable
from companion.devices.bus.connect import serve as serve
from companion.devices.bus.liveness import CHECK_EVERY as CHECK_EVERY
from companion.devices.bus.liveness import LOST as LOST
from companion.devices.bus.liveness import SilenceTimer as SilenceTimer
from companion.devices.bus.protocol import LONGEST_LINE as LONGEST_LINE
from companion.devices.bus.protocol import BusClient as BusClient
from companion.devices.bus.protocol import BusError as BusError
from companion.devices.bus.protocol import BusPeer as BusPeer
from companion.devices.bus.protocol import BusServer as BusServer
